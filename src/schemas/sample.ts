import { z } from 'zod';

import type { SampleReaders } from '../evaluation/tenants/load-sample.ts';
import { DocumentInput, LexiconInput, toDocument } from './corpus.ts';
import { QuestionInput, toQuestionEntry } from './question-set.ts';
import { SearchConfigurationInput } from './search-configuration.ts';
import { Name } from './vocabulary.ts';

/** Reads the sample collection by the rules that clients are held to. */
export const sampleReaders: SampleReaders = {
  parseDocument: (line) => toDocument(DocumentInput.parse(JSON.parse(line))),
  parseQuestion: (line) => toQuestionEntry(QuestionInput.parse(JSON.parse(line))),
  parseLexicon: (text) => LexiconInput.parse(JSON.parse(text)),
  parseConfiguration: (text) => SearchConfigurationInput.parse(JSON.parse(text)),
};

export const Sample = z
  .object({
    corpus: Name,
    questionSet: Name,
    configurations: z.array(Name),
    created: z.array(z.string()).meta({
      description: 'What was missing and is there now, as paths below /v1. Nothing is replaced.',
      example: ['search-configurations/sample-hybrid'],
    }),
  })
  .meta({ id: 'Sample' });
