import type { Readable } from 'node:stream';

import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import { z } from 'zod';

import { importQrels, type QrelsJudgment } from '../../evaluation/import-qrels.ts';
import { formatQrelsLine, parseQrelsLine } from '../../ir/trec/qrels-line.ts';
import { qrelsBody, textResponse } from '../../schemas/bodies.ts';
import { Grade, Id, NameParams } from '../../schemas/vocabulary.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { QuestionSetSaved } from '../../schemas/question-set.ts';
import type { Database } from '../../storage/database.ts';
import { streamQuestions, type QuestionSelection } from '../../storage/question-sets.ts';
import { setEntityTag } from '../entity-tags.ts';
import { readLines } from '../line-body.ts';
import { negotiate } from '../media-types.ts';
import { sendStream } from '../streams.ts';
import { readTrecLines, writeTrec } from '../trec-body.ts';
import { getQuestionSet } from './question-sets.ts';

export interface QrelsRoutesOptions {
  readonly db: Database;
  readonly now: () => string;
  readonly maxBodyBytes: number;
}

const QrelsEntry = z.object({ questionId: Id, documentId: Id, grade: Grade });

export const qrelsRoutes: FastifyPluginAsyncZodOpenApi<QrelsRoutesOptions> = async (
  app,
  { db, now, maxBodyBytes },
) => {
  app.put(
    '/question-sets/:name/qrels',
    {
      config: { consumes: ['text/plain'] },
      schema: {
        operationId: 'putQrels',
        summary: 'Replace the judgments of the questions that TREC qrels name',
        tags: ['question sets'],
        params: NameParams,
        querystring: z.strictObject({
          create: z
            .enum(['true', 'false'])
            .default('false')
            .meta({ description: 'Makes what does not exist, with ids as texts.' }),
        }),
        body: { required: true, content: { 'text/plain': qrelsBody } },
        response: { 200: QuestionSetSaved, 201: QuestionSetSaved, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const lines = readLines(request.body as Readable, maxBodyBytes);
      const judgments = new Map<string, QrelsJudgment[]>();
      const entries = readTrecLines(lines, { parse: parseQrelsLine, schema: QrelsEntry });
      for await (const { value, line } of entries) {
        const { questionId, documentId, grade } = value;
        const judged = judgments.get(questionId) ?? [];
        judged.push({ documentId, grade, line });
        judgments.set(questionId, judged);
      }
      const qrels = { judgments, create: request.query.create === 'true', now: now() };
      const saved = await importQrels(db, request.params.name, qrels);
      return reply.code(saved.isNew ? 201 : 200).send({ ...saved, warnings: [...saved.warnings] });
    },
  );

  app.get(
    '/question-sets/:name/qrels',
    {
      schema: {
        operationId: 'getQrels',
        summary: 'Read all judgments as TREC qrels',
        tags: ['question sets'],
        params: NameParams,
        response: {
          200: { description: 'TREC qrels', content: { 'text/plain': textResponse } },
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const { name, version, contentHash } = await getQuestionSet(db, request.params.name);
      negotiate(request, ['text/plain']);
      if (setEntityTag(request, reply, ['qrels', contentHash, version])) return reply;
      const stream = await writeTrec(() => qrelsLines(db, { questionSet: name, version }));
      return sendStream(reply, { type: 'text/plain; charset=utf-8', stream });
    },
  );
};

async function* qrelsLines(db: Database, selection: QuestionSelection): AsyncGenerator<string> {
  for await (const { question } of streamQuestions(db, selection)) {
    for (const { documentId, grade } of question.judgments) {
      yield `${formatQrelsLine({ questionId: question.id, documentId, grade })}\n`;
    }
  }
}
