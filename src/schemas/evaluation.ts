import { z } from 'zod';

import { sliceDimensions } from '../ir/question.ts';
import type { EvaluationDescription } from '../evaluation/describe-evaluation.ts';
import type { ExportedRanking } from '../evaluation/export-run.ts';
import { evaluationStatuses, type StoredEvaluation } from '../storage/evaluations.ts';
import { Bounds } from './bounds.ts';
import { BootstrapInterval } from './bootstrap-interval.ts';
import { Gate, GateInput } from './gate.ts';
import { Name, nonEmptyText, pageOf, text, Timestamp, Warning } from './vocabulary.ts';
import { InlineSearchConfiguration } from './search-configuration.ts';

const MeasureName = z.string().max(64).meta({
  description: 'A name is the whole definition. GET /v1/measures lists them.',
  example: 'nDCG@10',
});
const MeasureNames = z.array(MeasureName).min(1).max(100);

/** The deepest cut-off that a measure may have. */
const Cutoff = z.int().min(1).max(10_000);

const Version = z.int().min(1).max(2_000_000_000);

const QuestionSetReference = z.union([Name, z.strictObject({ name: Name, version: Version })]);

const IntervalOptions = z.strictObject({
  confidence: z.number().min(0.5).max(0.999).default(0.95),
  resamples: z.int().min(2000).max(10_000).default(2000),
  seed: z.int().min(0).max(4_294_967_295).default(1),
});

export const EvaluationInput = z
  .strictObject({
    questionSet: QuestionSetReference.meta({
      description: 'A name (its latest version), or name and version.',
    }),
    configurations: z
      .array(z.union([Name, InlineSearchConfiguration]))
      .min(1)
      .max(20),
    measures: MeasureNames.optional(),
    cutoffs: z.array(Cutoff).min(1).max(20).optional(),
    sliceBy: z.array(z.enum(sliceDimensions)).max(sliceDimensions.length).default([]),
    split: z.enum(['tuning', 'held-out']).optional(),
    sample: z
      .strictObject({
        size: z.int().min(1).max(250_000),
        seed: z.int().min(0).max(4_294_967_295).default(1),
      })
      .optional(),
    label: text(256).optional(),
    intervals: z.union([z.boolean(), IntervalOptions]).optional().meta({
      description:
        'A BCa interval for every mean of the scorecard. true: 95 %, 2,000 resamples, seed 1.',
    }),
    bounds: z.boolean().optional().meta({
      description:
        'What each mean could be if the unjudged documents in the rankings had any grade of the set.',
    }),
    probe: z
      .boolean()
      .optional()
      .meta({ description: 'With dryRun=true: sends the first question, once a configuration.' }),
    gate: GateInput.optional(),
  })
  .superRefine((request, context) => {
    if (request.measures && request.cutoffs) {
      const message = 'a request has either "measures" or "cutoffs"';
      context.addIssue({ code: 'custom', path: ['cutoffs'], message });
    }
  })
  .meta({
    id: 'EvaluationInput',
    example: {
      questionSet: 'sample',
      configurations: [
        { name: 'bm25', backend: 'local', corpus: 'sample', method: 'bm25' },
        { name: 'hybrid', backend: 'local', corpus: 'sample', method: 'hybrid' },
      ],
      measures: ['hit@3', 'RR', 'nDCG@10'],
      sliceBy: ['kind'],
      label: 'first look',
    },
  });
export type EvaluationInput = z.infer<typeof EvaluationInput>;

export const EvaluationAccepted = z
  .object({ id: z.string(), status: z.enum(evaluationStatuses) })
  .meta({ id: 'EvaluationAccepted' });

const Means = z
  .record(z.string(), z.number().nullable())
  .meta({ description: 'Mean by measure, full precision; null when no question was scored.' });

const Intervals = z.record(z.string(), BootstrapInterval.nullable()).optional().meta({
  description: 'By measure, with "intervals" in the request; null below two questions.',
});

const MeasureBounds = z.record(z.string(), Bounds).optional().meta({
  description:
    'By measure, with "bounds" in the request: the least and greatest value that missing labels allow.',
});

const ScorecardRow = z
  .object({
    configuration: z.string(),
    backend: z.string(),
    questions: z.object({
      scored: z.int(),
      empty: z.int().meta({ description: 'Of the scored: the search brought back nothing.' }),
      failed: z.int(),
      unanswerable: z.int(),
    }),
    measures: Means,
    intervals: Intervals,
    bounds: MeasureBounds,
    slices: z.record(
      z.string(),
      z.record(z.string(), z.object({ questions: z.int(), measures: Means, intervals: Intervals })),
    ),
    leaks: z.object({
      questions: z.int(),
      documents: z.int().meta({ description: 'Forbidden documents that came back.' }),
    }),
    failures: z.array(z.object({ code: z.string(), detail: z.string(), questions: z.int() })),
    usage: z.object({
      searches: z.int(),
      searchAttempts: z.int(),
      pairsReranked: z.int(),
      modelCalls: z.int(),
    }),
    latencyMs: z
      .object({ mean: z.number(), p50: z.number(), p95: z.number(), max: z.number() })
      .nullable()
      .meta({ description: 'Of the searches that answered; null when nothing was searched.' }),
    warnings: z.array(Warning),
  })
  .meta({ id: 'ScorecardRow' });

const Progress = z
  .object({
    done: z.int(),
    total: z.int(),
    failed: z.int(),
    searchesPerSecond: z.number().nullable().meta({
      description: 'Over the last half minute; null when it does not run or nothing arrived.',
    }),
    remainingSeconds: z.int().nullable().meta({ description: 'At that rate.' }),
  })
  .meta({ id: 'EvaluationProgress' });

export const EvaluationDetail = z
  .object({
    id: z.string(),
    label: z.string().nullable(),
    status: z.enum(evaluationStatuses),
    progress: Progress,
    questionSet: z.object({ name: z.string(), version: z.int(), contentHash: z.string() }),
    configurations: z.array(
      z.object({
        name: z.string(),
        backend: z.string(),
        configuration: z.looseObject({}),
        input: z
          .object({ kind: z.enum(['corpus', 'run']), name: z.string(), contentHash: z.string() })
          .nullable(),
      }),
    ),
    measures: z.array(z.string()),
    sliceBy: z.array(z.string()),
    split: z.string().nullable(),
    sample: z.object({ size: z.int(), seed: z.int() }).nullable(),
    rescoreOf: z.string().nullable(),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp.nullable(),
    scorecard: z.array(ScorecardRow).nullable(),
    error: z.object({ code: z.string(), detail: z.string() }).nullable(),
    gate: Gate.nullable().meta({ description: 'null: the evaluation has none.' }),
  })
  .meta({ id: 'Evaluation' });

export type EvaluationDetail = z.infer<typeof EvaluationDetail>;

const EvaluationSummary = EvaluationDetail.pick({
  id: true,
  label: true,
  status: true,
  questionSet: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
}).meta({ id: 'EvaluationSummary' });
export const EvaluationPage = pageOf(EvaluationSummary, 'EvaluationPage');

export const RescoreInput = z
  .strictObject({
    version: Version.optional().meta({ description: 'Default: the latest.' }),
    measures: MeasureNames.optional(),
  })
  .meta({ id: 'RescoreInput', example: { version: 4 } });

export const ResultHit = z.object({
  documentId: z.string().nullable().meta({ description: 'null: the chunk had no readable id.' }),
  rank: z.int().min(1),
  score: z.number().nullable(),
  chunkId: z.string().nullable(),
  grade: z.int().nullable().meta({ description: 'null: unjudged.' }),
  chunks: z
    .array(
      z.object({
        chunkId: z.string().nullable(),
        score: z.number().nullable(),
        scoreSource: z.string().meta({ description: 'Which score of the answer it is.' }),
        repository: z.string().nullable(),
        snippet: z.string(),
      }),
    )
    .readonly()
    .optional()
    .meta({ description: 'The chunks behind it, best first, where a search shows them.' }),
});

const QuestionResult = z
  .object({
    id: z.string(),
    text: z.string(),
    status: z.enum(['scored', 'empty', 'failed', 'unanswerable']),
    error: z
      .object({ code: z.string(), detail: z.string(), requestId: z.string().optional() })
      .optional(),
    measures: z.record(z.string(), z.number()),
    bounds: MeasureBounds,
    leaks: z.array(z.string()).meta({ description: 'Forbidden documents that came back.' }),
    ranking: z.array(ResultHit),
  })
  .meta({ id: 'QuestionResult' });

export const QuestionResultPage = pageOf(QuestionResult, 'QuestionResultPage');

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

export const EvaluationParams = z.strictObject({ id: nonEmptyText(64) });

export function toEvaluationSummary(
  evaluation: StoredEvaluation,
): z.infer<typeof EvaluationSummary> {
  const { id, label, status, createdAt, startedAt, finishedAt, version, contentHash } = evaluation;
  const questionSet = { name: evaluation.questionSet, version, contentHash };
  return { id, label, status, questionSet, createdAt, startedAt, finishedAt };
}

export function toEvaluationDetail(description: EvaluationDescription): EvaluationDetail {
  const { evaluation, configurations, progress, gate } = description;
  const { plan, rescoreOf, scorecard, error } = evaluation;
  return {
    ...toEvaluationSummary(evaluation),
    progress,
    configurations: configurations.map(({ name, backend, body, input }) => ({
      name,
      backend,
      configuration: JSON.parse(body) as Record<string, unknown>,
      input,
    })),
    measures: [...plan.measures],
    sliceBy: [...plan.sliceBy],
    split: plan.split ?? null,
    sample: plan.sample ?? null,
    rescoreOf,
    scorecard: scorecard as EvaluationDetail['scorecard'],
    error,
    gate: gate as EvaluationDetail['gate'],
  };
}

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
