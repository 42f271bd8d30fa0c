import type { SampleReaders } from '../evaluation/tenants/load-sample.ts';
import { DocumentInput, LexiconInput, toDocument } from './corpus.ts';
import { QuestionInput, toQuestionEntry } from './question-set.ts';

/** Reads the sample collection by the rules that clients are held to. */
export const sampleReaders: SampleReaders = {
  parseDocument: (line) => toDocument(DocumentInput.parse(JSON.parse(line))),
  parseQuestion: (line) => toQuestionEntry(QuestionInput.parse(JSON.parse(line))),
  parseLexicon: (text) => LexiconInput.parse(JSON.parse(text)),
};
