import { z } from 'zod';

import { pipelineStages } from '../model/pipeline-trace.ts';
import { averageRules } from '../model/question.ts';
import { Bounds } from './bounds.ts';
import { MeanInterval } from './mean-interval.ts';
import { Diagnosis } from './diagnosis.ts';
import { Warning } from './vocabulary.ts';

const Means = z
  .record(z.string(), z.number().nullable())
  .meta({ description: 'Mean by measure, full precision; null when no question is in the means.' });

const Intervals = z.record(z.string(), MeanInterval.nullable()).optional().meta({
  description: 'By measure, with "intervals" in the request; null below two questions.',
});

export const MeasureBounds = z.record(z.string(), Bounds).optional().meta({
  description:
    'By measure, with "bounds" in the request: the least and greatest value that missing labels allow.',
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
      .meta({ description: 'In the order in which they ran; empty in a rescore.' }),
    fallbacks: z.object({
      questions: z.int().meta({ description: 'Questions of which any stage was left out.' }),
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
      .meta({ description: 'Questions of which a version lacks a token with a digit.' }),
    cut: z
      .object({
        hits: z.int().meta({ description: 'Those that were not re-ranked included.' }),
        questions: z.int().meta({ description: 'Of which any hit was left out.' }),
        emptied: z.int().meta({ description: 'Of these, those without a hit left.' }),
      })
      .optional()
      .meta({ description: 'What `minScore` left out; absent without one.' }),
  })
  .meta({ id: 'PipelineUsage' });

export const ScorecardRow = z
  .object({
    configuration: z.string(),
    backend: z.string(),
    passages: z.int().optional().meta({
      description:
        'Passages that the chunking makes of the corpus; absent for other backends than `local`, and once the corpus was replaced.',
    }),
    questions: z.object({
      scored: z.int(),
      empty: z.int().meta({ description: 'Of the scored: the search brought back nothing.' }),
      failed: z.int(),
      unanswerable: z.int(),
      unlabelled: z.int().optional().meta({
        description: 'Without one judgment. Absent in scorecards older than the count.',
      }),
    }),
    average: z.enum(averageRules).meta({
      description:
        'Over which questions the means go. Scorecards older than the choice say `set`, by which they were made.',
    }),
    averagedQuestions: z.int().meta({ description: 'How many those are.' }),
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
      unfilteredSearches: z.int().optional().meta({
        description: 'Of `"diagnose": "deep"`; billed, and not among `searches`.',
      }),
      promptTokens: z.int().optional(),
      completionTokens: z.int().optional(),
    }),
    diagnosis: Diagnosis.omit({ configuration: true }).optional().meta({
      description: 'With "diagnose" in the request, at its default k.',
    }),
    pipeline: PipelineUsage.optional().meta({
      description:
        'Of configurations with a pipeline: what its stages cost, and how often they gave up.',
    }),
    latencyMs: Latency.nullable().meta({
      description: 'Of the searches that answered; null when nothing was searched.',
    }),
    warnings: z.array(Warning),
  })
  .meta({ id: 'ScorecardRow' });
