import { z } from 'zod';

import type { ExportedRanking } from '../evaluation/reports/export-run.ts';

export const RunOfEvaluation = z
  .object({
    configuration: z.string(),
    rankings: z.record(
      z.string(),
      z.array(
        z.object({
          documentId: z.string().nullable(),
          rank: z.int(),
          score: z.number().nullable(),
          chunkId: z.string().nullable(),
        }),
      ),
    ),
  })
  .meta({ id: 'RunOfEvaluation' });

/** One question's ranking as a member of the JSON object that a run is written as. */
export function toRunMember({ questionId, hits }: ExportedRanking): string {
  const ranking = hits.map(({ documentId, score, chunkId }, index) => ({
    documentId,
    rank: index + 1,
    score,
    chunkId,
  }));
  return `${JSON.stringify(questionId)}:${JSON.stringify(ranking)}`;
}
