import { Readable } from 'node:stream';

import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import { z } from 'zod';

import { checkValidity } from '../../evaluation/gates/check-validity.ts';
import type { ResultCache } from '../../evaluation/lifecycle/result-cache.ts';
import {
  describeEvaluation,
  type EvaluationDescription,
} from '../../evaluation/lifecycle/describe-evaluation.ts';
import { exportRun } from '../../evaluation/reports/export-run.ts';
import { reportAsCsv } from '../../evaluation/reports/report-csv.ts';
import { reportComment } from '../../evaluation/reports/report-comment.ts';
import { reportEvaluation } from '../../evaluation/reports/report-evaluation.ts';
import { readFunnelReport } from '../../evaluation/reports/report-funnel.ts';
import { reportQuestions } from '../../evaluation/reports/report-questions.ts';
import { drawReport } from '../../evaluation/reports/report-charts.ts';
import { reportAsHtml } from '../../evaluation/reports/report-html.ts';
import { reportAsJunit } from '../../evaluation/reports/report-junit.ts';
import { textResponse } from '../../schemas/bodies.ts';
import { Name } from '../../schemas/vocabulary.ts';
import { EvaluationParams } from '../../schemas/evaluation.ts';
import { RunOfEvaluation, toRunMember } from '../../schemas/evaluation-run.ts';
import { busyResponse, problemResponse } from '../../schemas/problem.ts';
import { RanxRunInput, RunQuery } from '../../schemas/run.ts';
import { Validity, ValidityQuery } from '../../schemas/validity.ts';
import type { Database } from '../../storage/database/database.ts';
import { negotiate } from '../bodies/media-types.ts';
import { runTypes, sendRun } from '../answers/run-text.ts';
import { inBlocks, mapStream, sendStream, streamJson } from '../answers/streams.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface EvaluationResultRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
  readonly memory: ResultCache;
}

const reportTypes = {
  markdown: 'text/markdown',
  html: 'text/html',
  csv: 'text/csv',
  junit: 'application/xml',
  comment: 'text/markdown',
} as const;
type ReportFormat = keyof typeof reportTypes;
type ReportType = (typeof reportTypes)[ReportFormat];

const offeredReports: [ReportType, ...ReportType[]] = [
  'text/markdown',
  'text/html',
  'text/csv',
  'application/xml',
];

export const evaluationResultRoutes: FastifyPluginAsyncZodOpenApi<
  EvaluationResultRoutesOptions
> = async (app, { dbFor, now, memory }) => {
  app.get(
    '/eval/:id/runs/:configuration',
    {
      schema: {
        operationId: 'getRunOfEvaluation',
        summary: 'Get the rankings of a configuration as JSON, TREC run, CSV or ranx',
        description: 'The header Format-Losses lists what the chosen format cannot represent.',
        tags: ['evaluations'],
        params: EvaluationParams.extend({ configuration: Name }),
        querystring: RunQuery,
        response: {
          200: {
            description: 'The rankings, without failed questions',
            content: {
              'application/json': { schema: z.union([RunOfEvaluation, RanxRunInput]) },
              'text/plain': textResponse,
              'text/csv': textResponse,
            },
          },
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const { id, configuration } = request.params;
      const form = request.query.format ?? negotiate(request, runTypes);
      const run = await exportRun(dbFor(request), id, configuration);
      if (form !== 'application/json') {
        return sendRun(reply, form, { name: configuration, read: run });
      }
      const entries = mapStream(run(), toRunMember);
      const stream = streamJson({ configuration }, 'rankings', { brackets: '{}', entries });
      return sendStream(reply, { type: form, stream });
    },
  );

  app.get(
    '/eval/:id/report',
    {
      schema: {
        operationId: 'getReport',
        summary: 'Get the report of an evaluation',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: z.strictObject({
          format: z.enum(['markdown', 'html', 'csv', 'junit', 'comment']).optional().meta({
            description:
              'Overrides the Accept header. `comment`: Markdown for a pull request, with the verdict first and the report folded.',
          }),
        }),
        response: {
          200: {
            description: 'The report',
            content: {
              'text/markdown': textResponse,
              'text/html': textResponse,
              'text/csv': textResponse,
              'application/xml': textResponse,
            },
          },
          503: busyResponse(),
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { format } = request.query;
      const type = format ? reportTypes[format] : negotiate(request, offeredReports);
      const description = await describeEvaluation(db, request.params.id, now());
      const report = await writeReport({ db, memory }, description, format ?? type);
      const withCharset = `${type}; charset=utf-8`;
      return typeof report === 'string'
        ? reply.type(withCharset).send(report)
        : sendStream(reply, { type: withCharset, stream: report });
    },
  );

  app.get(
    '/eval/:id/validity',
    {
      schema: {
        operationId: 'getValidity',
        summary: 'Get the differences between what an evaluation and a baseline measured',
        description:
          'Compares hashes taken when both were created, so that the answer is available before the evaluation ends.',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: ValidityQuery,
        response: { 200: Validity, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) =>
      (await checkValidity(dbFor(request), request.params.id, request.query.baseline)) as Validity,
  );
};

async function writeReport(
  { db, memory }: { readonly db: Database; readonly memory: ResultCache },
  description: EvaluationDescription,
  form: ReportFormat | ReportType,
): Promise<string | Readable> {
  if (form === 'csv' || form === 'text/csv') {
    return reportAsCsv(description.evaluation.scorecard ?? []);
  }
  if (form === 'junit' || form === 'application/xml') {
    return Readable.from(inBlocks(reportAsJunit(db, description)));
  }
  const funnel = await readFunnelReport({ db, memory }, description.evaluation);
  if (form === 'comment') return reportComment(description, funnel);
  const markdown = reportEvaluation(description, funnel);
  if (form !== 'html' && form !== 'text/html') return markdown;
  const picture = drawReport(description.evaluation.scorecard ?? []);
  const questions = await reportQuestions({ db, memory }, description.evaluation);
  return reportAsHtml(markdown, picture, questions);
}
