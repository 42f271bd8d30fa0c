import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { CorpusDocument, CorpusLexicon } from '../../storage/catalog/corpora.ts';
import type { Database } from '../../storage/database/database.ts';
import { listCorpora } from '../../storage/catalog/corpora.ts';
import { listQuestionSets } from '../../storage/question-sets/question-sets.ts';
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
}

/** Loads the sample corpus and question set into a store that holds neither corpora nor question sets. */
export async function loadSample(
  db: Database,
  readers: SampleReaders,
  now: string,
): Promise<boolean> {
  const corpora = await listCorpora(db, { limit: 1 });
  const questionSets = await listQuestionSets(db, { limit: 1 });
  if (corpora.items.length > 0 || questionSets.items.length > 0) return false;

  const documents = (await readLines('documents.ndjson')).map(readers.parseDocument);
  const lexicon = readers.parseLexicon(await readSample('lexicon.json'));
  await saveCorpus(db, sampleName, { documents: documents.map(toDocumentRecord), lexicon, now });

  const lines = await readLines('questions.ndjson');
  const draft = { db, id: randomUUID(), now: () => now };
  const entries = toEntries(lines.map((line) => readers.parseQuestion(line)));
  await importQuestions(draft, sampleName, { ...usualRule, entries, description });
  return true;
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
