import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { CorpusDocument, CorpusLexicon } from '../../storage/catalog/corpora.ts';
import type { Database } from '../../storage/database/database.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import { findCorpus, listCorpora } from '../../storage/catalog/corpora.ts';
import { findSearchConfiguration } from '../../storage/catalog/search-configurations.ts';
import { findQuestionSet, listQuestionSets } from '../../storage/question-sets/question-sets.ts';
import { saveSearchConfiguration } from '../catalog/save-search-configuration.ts';
import { importQuestions, usualRule } from '../question-sets/import-questions.ts';
import { saveCorpus, toDocumentRecord } from '../catalog/save-corpus.ts';
import type { QuestionEntry } from '../question-sets/stage-questions.ts';

/** The name of the corpus and of the question set. */
const sampleName = 'sample';

const description =
  'Invented SAP notes in English and German with labelled questions. The lexicon was written by looking at the tuning half only.';

export interface SampleReaders {
  /** Reads a line of the sample as the service reads what clients send. */
  readonly parseDocument: (line: string) => CorpusDocument;
  readonly parseQuestion: (line: string) => QuestionEntry;
  readonly parseLexicon: (text: string) => CorpusLexicon;
  readonly parseConfiguration: (text: string) => SearchConfiguration;
}

/** The four methods of the local backend over the sample corpus. */
const methods = ['bm25', 'vector', 'hybrid', 'rerank'];

/** Loads the sample corpus and question set into a store that holds neither corpora nor question sets. */
export async function loadSample(
  db: Database,
  readers: SampleReaders,
  now: string,
): Promise<boolean> {
  const corpora = await listCorpora(db, { limit: 1 });
  const questionSets = await listQuestionSets(db, { limit: 1 });
  if (corpora.items.length > 0 || questionSets.items.length > 0) return false;

  await saveDocuments(db, readers, now);
  await saveQuestions(db, readers, now);
  return true;
}

/** What the sample consists of, and which parts were missing. */
export interface SampleParts {
  readonly corpus: string;
  readonly questionSet: string;
  readonly configurations: readonly string[];
  readonly created: readonly string[];
}

/** Adds whatever is missing of the sample: corpus, question set and search configurations. Replaces nothing. */
export async function completeSample(
  db: Database,
  readers: SampleReaders,
  now: string,
): Promise<SampleParts> {
  const created: string[] = [];
  if (!(await findCorpus(db, sampleName))) {
    await saveDocuments(db, readers, now);
    created.push(`corpora/${sampleName}`);
  }
  if (!(await findQuestionSet(db, sampleName))) {
    await saveQuestions(db, readers, now);
    created.push(`question-sets/${sampleName}`);
  }
  for (const method of methods) {
    const name = toConfigurationName(method);
    if (await findSearchConfiguration(db, name)) continue;
    const configuration = readers.parseConfiguration(
      await readSample(`configurations/${method}.json`),
    );
    await saveSearchConfiguration(db, { name, now }, configuration);
    created.push(`search-configurations/${name}`);
  }
  const configurations = methods.map(toConfigurationName);
  return { corpus: sampleName, questionSet: sampleName, configurations, created };
}

function toConfigurationName(method: string): string {
  return `${sampleName}-${method}`;
}

async function saveDocuments(db: Database, readers: SampleReaders, now: string): Promise<void> {
  const documents = (await readLines('documents.ndjson')).map(readers.parseDocument);
  const lexicon = readers.parseLexicon(await readSample('lexicon.json'));
  await saveCorpus(db, sampleName, { documents: documents.map(toDocumentRecord), lexicon, now });
}

async function saveQuestions(db: Database, readers: SampleReaders, now: string): Promise<void> {
  const lines = await readLines('questions.ndjson');
  const draft = { db, id: randomUUID(), now: () => now };
  const entries = toEntries(lines.map((line) => readers.parseQuestion(line)));
  await importQuestions(draft, sampleName, { ...usualRule, entries, description });
}

async function readLines(file: string): Promise<string[]> {
  return (await readSample(file)).split('\n').filter((line) => line !== '');
}

function readSample(file: string): Promise<string> {
  return readFile(new URL(`../../../sample/${file}`, import.meta.url), 'utf8');
}

async function* toEntries(entries: readonly QuestionEntry[]): AsyncGenerator<QuestionEntry> {
  yield* entries;
}
