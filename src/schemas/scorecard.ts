import { z } from 'zod';

import { pipelineStages } from '../model/pipeline-trace.ts';
import { averageRules } from '../model/question.ts';
import { Bounds } from './bounds.ts';
import { MeanInterval } from './mean-interval.ts';
import { Diagnosis } from './diagnosis.ts';
import { Warning } from './vocabulary.ts';

const Means = z.record(z.string(), z.number().nullable()).meta({
  description: 'Mean by measure, in full precision; null if no question counts towards the mean.',
});

const Intervals = z.record(z.string(), MeanInterval.nullable()).optional().meta({
  description: 'By measure, if the request has "intervals"; null for fewer than two questions.',
});

export const MeasureBounds = z.record(z.string(), Bounds).optional().meta({
  description:
    'By measure, if the request has "bounds": the smallest and largest possible value over all grades of the unjudged documents.',
});

const Latency = z.object({
  mean: z.number(),
  p50: z.number(),
  p95: z.number(),
  max: z.number(),
});

const PipelineUsage = z
  .object({
    stages: z
      .array(
        z.object({
          stage: z.enum(pipelineStages),
          type: z.string(),
          questions: z.int(),
          latencyMs: Latency.nullable(),
          searches: z.int(),
          pairsReranked: z.int(),
          modelCalls: z.int(),
          promptTokens: z.int(),
          completionTokens: z.int(),
        }),
      )
      .meta({ description: 'In the order of execution; empty for a rescore.' }),
    fallbacks: z.object({
      questions: z.int().meta({ description: 'Questions for which any stage was skipped.' }),
      causes: z.array(
        z.object({
          stage: z.enum(pipelineStages),
          type: z.string(),
          code: z.string(),
          questions: z.int(),
        }),
      ),
    }),
    droppedCodes: z
      .int()
      .meta({ description: 'Questions with a version that lacks a token with a digit.' }),
    cut: z
      .object({
        hits: z.int().meta({ description: 'Including hits that were not re-ranked.' }),
        questions: z.int().meta({ description: 'Questions with a removed hit.' }),
        emptied: z.int().meta({ description: 'Of these, questions without remaining hits.' }),
      })
      .optional()
      .meta({ description: 'Hits removed by `minScore`; absent without it.' }),
  })
  .meta({ id: 'PipelineUsage' });

export const ScorecardRow = z
  .object({
    configuration: z.string(),
    backend: z.string(),
    passages: z.int().optional().meta({
      description:
        'Number of passages of the corpus with this chunking; absent for backends other than `local`, and after the corpus was replaced.',
    }),
    questions: z.object({
      scored: z.int(),
      empty: z.int().meta({ description: 'Scored questions whose search returned nothing.' }),
      failed: z.int(),
      unanswerable: z.int(),
      unlabelled: z.int().optional().meta({
        description:
          'Questions without a judgment. Absent in scorecards created before this field existed.',
      }),
    }),
    average: z.enum(averageRules).meta({
      description:
        'The questions over which means are taken. Scorecards created before this field existed say `set`, which they used.',
    }),
    averagedQuestions: z.int().meta({ description: 'Number of these questions.' }),
    measures: Means,
    intervals: Intervals,
    bounds: MeasureBounds,
    slices: z.record(
      z.string(),
      z.record(z.string(), z.object({ questions: z.int(), measures: Means, intervals: Intervals })),
    ),
    leaks: z.object({
      questions: z.int(),
      documents: z.int().meta({ description: 'Forbidden documents that were returned.' }),
    }),
    failures: z.array(z.object({ code: z.string(), detail: z.string(), questions: z.int() })),
    usage: z.object({
      searches: z.int(),
      searchAttempts: z.int(),
      pairsReranked: z.int(),
      modelCalls: z.int(),
      unfilteredSearches: z.int().optional().meta({
        description: 'For `"diagnose": "deep"`; billed, and not included in `searches`.',
      }),
      promptTokens: z.int().optional(),
      completionTokens: z.int().optional(),
    }),
    diagnosis: Diagnosis.omit({ configuration: true }).optional().meta({
      description: 'If the request has "diagnose", at its default k.',
    }),
    pipeline: PipelineUsage.optional().meta({
      description:
        'For configurations with a pipeline: what its stages cost, and how often they failed.',
    }),
    latencyMs: Latency.nullable().meta({
      description: 'Over the searches that succeeded; null if nothing was searched.',
    }),
    warnings: z.array(Warning),
  })
  .meta({ id: 'ScorecardRow' });
