import { z } from 'zod';

import { averageOf, tellAverage } from '../model/average-rule.ts';
import type { EvaluationDescription } from '../evaluation/lifecycle/describe-evaluation.ts';
import { averageRules } from '../model/question.ts';
import { evaluationStatuses } from '../model/evaluation-status.ts';
import type { EvaluationHead } from '../storage/evaluations/evaluation-heads.ts';
import { Gate } from './gate.ts';
import { ScorecardRow } from './scorecard.ts';
import { Author, nonEmptyText, pageOf, Timestamp } from './vocabulary.ts';

export const EvaluationAccepted = z
  .object({ id: z.string(), status: z.enum(evaluationStatuses) })
  .meta({ id: 'EvaluationAccepted' });

const Progress = z
  .object({
    done: z.int(),
    total: z.int(),
    failed: z.int(),
    searchesPerSecond: z.number().nullable().meta({
      description:
        'Over the last 30 seconds; null if the evaluation is not running or no question was finished.',
    }),
    remainingSeconds: z.int().nullable().meta({ description: 'Estimated from the current rate.' }),
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
    average: z.enum(averageRules).meta({
      description: 'The questions over which means are taken, as in the scorecard.',
    }),
    sliceBy: z.array(z.string()),
    split: z.string().nullable(),
    sample: z.object({ size: z.int(), seed: z.int() }).nullable(),
    rescoreOf: z.string().nullable(),
    createdAt: Timestamp,
    createdBy: Author,
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp.nullable(),
    scorecard: z.array(ScorecardRow).nullable(),
    error: z.object({ code: z.string(), detail: z.string() }).nullable(),
    gate: Gate.nullable().meta({ description: 'null: the evaluation has no gate.' }),
  })
  .meta({ id: 'Evaluation' });

export type EvaluationDetail = z.infer<typeof EvaluationDetail>;

const EvaluationSummary = EvaluationDetail.pick({
  id: true,
  label: true,
  status: true,
  questionSet: true,
  createdAt: true,
  createdBy: true,
  startedAt: true,
  finishedAt: true,
}).meta({ id: 'EvaluationSummary' });
export const EvaluationPage = pageOf(EvaluationSummary, 'EvaluationPage');

export const EvaluationParams = z.strictObject({ id: nonEmptyText(64) });

export function toEvaluationSummary(evaluation: EvaluationHead): z.infer<typeof EvaluationSummary> {
  const { id, label, status, version, contentHash } = evaluation;
  const { createdAt, createdBy, startedAt, finishedAt } = evaluation;
  const questionSet = { name: evaluation.questionSet, version, contentHash };
  return { id, label, status, questionSet, createdAt, createdBy, startedAt, finishedAt };
}

export function toEvaluationDetail(description: EvaluationDescription): EvaluationDetail {
  const { evaluation, configurations, progress, gate } = description;
  const { plan, rescoreOf, scorecard, error } = evaluation;
  return {
    ...toEvaluationSummary(evaluation),
    progress,
    configurations: configurations.map(({ name, backend, configuration, input }) => ({
      name,
      backend,
      configuration,
      input,
    })),
    measures: [...plan.measures],
    average: averageOf(plan),
    sliceBy: [...plan.sliceBy],
    split: plan.split ?? null,
    sample: plan.sample ?? null,
    rescoreOf,
    scorecard: (scorecard?.map(tellAverage) ?? null) as EvaluationDetail['scorecard'],
    error,
    gate: gate as EvaluationDetail['gate'],
  };
}
