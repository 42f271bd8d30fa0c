import { z } from 'zod';

import { listFormats, type FileKind, type FormatName } from '../interchange/formats.ts';
import { verdictModes } from '../evaluation/question-sets/merge-judgments.ts';
import { PlacesAtIssue } from './problem.ts';
import { Id, Name } from './vocabulary.ts';

const FileQuery = z.strictObject({
  encoding: z.string().max(40).optional().meta({
    description:
      'The encoding of the text, such as windows-1252 or utf-16le. A byte order mark in the text and then `charset` of Content-Type decide otherwise; without any of them it is UTF-8.',
    example: 'utf-8',
  }),
  grades: z.string().max(1000).optional().meta({
    description:
      'How values become grades: `0.5:1,0.8:2` (0.5 and more is 1, 0.8 and more is 2, less is 0) or words, `relevant:1,irrelevant:0`. Without it grades must be whole numbers.',
    example: '0.5:1,0.8:2',
  }),
  question: Id.optional().meta({
    description: 'The question of a body that is a list of documents and names no question.',
  }),
});

/** What a request says of the file in its body. */
export function fileQuery(kind: FileKind): ReturnType<typeof addFormat> {
  return addFormat(listFormats(kind));
}

function addFormat(names: readonly FormatName[]) {
  return FileQuery.extend({
    format: z.enum(names).optional().meta({
      description: 'The format of the body. Without it, the content decides.',
    }),
  });
}

/** How a file of labels is imported. */
export const ImportQuery = z.strictObject({
  judgments: z.enum(verdictModes).default('keep').meta({
    description:
      'keep: judgments posted by judges are kept, and a file that contradicts one is refused with 409. merge: the file wins where grades differ. replace: judgments that the file lacks are dropped.',
  }),
  preview: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'true: stores nothing and returns what would change.' }),
});
export type ImportQuery = z.infer<typeof ImportQuery>;

export const JudgmentCountFields = {
  added: z.int().min(0).meta({ description: 'New judgments.' }),
  changed: z.int().min(0).meta({ description: 'Judgments whose grade changed.' }),
  kept: z.int().min(0).meta({
    description: 'Unchanged judgments of the questions in the file.',
  }),
  dropped: z.int().min(0).meta({ description: 'Removed judgments.' }),
};

/** What an import would do. */
export const ImportPreview = z
  .object({
    name: Name,
    preview: z.literal(true),
    questions: z.int().min(0).meta({ description: 'In the resulting question set.' }),
    judgments: z.int().min(0).meta({ description: 'In the resulting question set.' }),
    ...JudgmentCountFields,
    conflicts: z.object({ total: z.int().min(0), errors: PlacesAtIssue }).meta({
      description:
        'Judgments of judges that the file contradicts; if there are any, the file is refused with 409.',
    }),
  })
  .meta({
    id: 'ImportPreview',
    example: {
      name: 'sample',
      preview: true,
      questions: 20,
      judgments: 33,
      added: 2,
      changed: 0,
      kept: 31,
      dropped: 0,
      conflicts: { total: 0, errors: [] },
    },
  });
