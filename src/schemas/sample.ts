import type { SampleReaders } from '../evaluation/load-sample.ts';
import { DocumentInput, LexiconInput, toDocument } from './corpus.ts';
import { QuestionInput, toQuestion } from './question-set.ts';

/** Reads the sample collection by the rules that clients are held to. */
export const sampleReaders: SampleReaders = {
  parseDocument: (line) => toDocument(DocumentInput.parse(JSON.parse(line))),
  parseQuestion: (line, judgedAt) =>
    toQuestion(QuestionInput.parse(JSON.parse(line)), { judge: null, judgedAt }),
  parseLexicon: (text) => LexiconInput.parse(JSON.parse(text)),
};
