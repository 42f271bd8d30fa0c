import { toListed, type DatasetQuestion, type Found, type Judged } from './dataset-question.ts';
import { createNode, isRecord, type JsonNode } from './json-node.ts';
import {
  readLlamaIndex,
  readOpenSearch,
  readRankEval,
  readRatedRanking,
} from './judgment-lists.ts';
import { toQuestionId } from './question-id.ts';

/** Whether a JSON value is a dataset of another tool. */
export function isDataset(value: unknown): boolean {
  if (Array.isArray(value)) {
    const first: unknown = value[0];
    return isRecord(first) && (isAzureDocument(first) || isDatasetRecord(first));
  }
  if (!isRecord(value)) return false;
  const lists = ['requests', 'judgmentRatings', 'topics'];
  return (
    isDatasetRecord(value) ||
    isRecord(value['relevant_docs']) ||
    lists.some((key) => Array.isArray(value[key]))
  );
}

/** Reads a dataset that is one JSON value, by its keys; undefined where it is of none of the tools. */
export function readDataset(
  value: unknown,
  { question }: { readonly question?: string | undefined } = {},
): Iterable<DatasetQuestion> | undefined {
  if (!isDataset(value)) return undefined;
  const node = createNode(value);
  if (Array.isArray(value)) {
    const isList = isAzureDocument(value[0] as Readonly<Record<string, unknown>>);
    return isList ? [readAzureList(node, question)] : node.list().map(readDatasetRecord);
  }
  if (node.has('requests')) return readRankEval(node);
  if (node.has('relevant_docs')) return readLlamaIndex(node);
  if (node.has('judgmentRatings')) return readOpenSearch(node);
  if (node.has('topics')) return readRatedRanking(node);
  return [readDatasetRecord(node)];
}

/** Whether a line of ndjson is one question of Ragas or Azure. */
export function isDatasetRecord(record: Readonly<Record<string, unknown>>): boolean {
  return [...ragasKeys, ...azureKeys].some((key) => key in record);
}

const ragasKeys = [
  'reference_context_ids',
  'retrieved_context_ids',
  'reference_contexts',
  'retrieved_contexts',
];
const azureKeys = ['retrieval_ground_truth', 'retrieved_documents'];

/** Reads one question of Ragas (`SingleTurnSample`) or of Azure's document retrieval evaluator. */
export function readDatasetRecord(node: JsonNode): DatasetQuestion {
  return azureKeys.some(node.has) ? readAzureRecord(node) : readRagasRecord(node);
}

function readRagasRecord(node: JsonNode): DatasetQuestion {
  const hasIds = node.has('reference_context_ids') || node.has('retrieved_context_ids');
  if (!hasIds) {
    node.fail(
      'has contexts as texts and no ids; add reference_context_ids (relevant documents) or retrieved_context_ids (what the search returned)',
    );
  }
  const text = node.get('user_input').text();
  return {
    id: toQuestionId(text),
    text,
    judgments: node.has('reference_context_ids')
      ? node.get('reference_context_ids').list().map(toListed)
      : [],
    hits: node.has('retrieved_context_ids')
      ? node.get('retrieved_context_ids').list().map(toFound)
      : undefined,
    pointer: node.pointer,
  };
}

function readAzureRecord(node: JsonNode): DatasetQuestion {
  const text = ['query', 'question', 'id'].map(node.get).find(({ value }) => value !== undefined);
  const named = (text ?? node.get('query')).text();
  const truth = node.get('retrieval_ground_truth');
  const found = node.get('retrieved_documents');
  return {
    id: toQuestionId(named),
    text: named,
    judgments: truth.value === undefined ? [] : truth.list().map(toAzureJudged),
    hits: found.value === undefined ? undefined : found.list().map(toAzureFound),
    pointer: node.pointer,
  };
}

function isAzureDocument(record: Readonly<Record<string, unknown>>): boolean {
  return (
    'document_id' in record && ('query_relevance_label' in record || 'relevance_score' in record)
  );
}

/** A list of documents, which does not say of which question. */
function readAzureList(node: JsonNode, question: string | undefined): DatasetQuestion {
  if (question === undefined) {
    return node.fail(
      'is a list of documents of one question in the form of Azure and does not say of which; add ?question=q06, or send {"query":"…","retrieval_ground_truth":[…]}, one per line',
    );
  }
  const isRun = node.list()[0]?.has('relevance_score') === true;
  return {
    id: question,
    text: undefined,
    judgments: isRun ? [] : node.list().map(toAzureJudged),
    hits: isRun ? node.list().map(toAzureFound) : undefined,
    pointer: node.pointer,
  };
}

function toAzureJudged(node: JsonNode): Judged {
  const grade = node.get('query_relevance_label').text();
  return { documentId: node.get('document_id').text(), grade, pointer: node.pointer };
}

function toAzureFound(node: JsonNode): Found {
  const { value } = node.get('relevance_score');
  const documentId = node.get('document_id').text();
  return { documentId, score: toScore(value), pointer: node.pointer };
}

function toScore(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function toFound(node: JsonNode): Found {
  return { documentId: node.text(), score: undefined, pointer: node.pointer };
}
