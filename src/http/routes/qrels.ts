import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import { z } from 'zod';

import { failIfChangedDuringRead } from '../../evaluation/catalog/fail-if-changed-during-read.ts';
import { importQrels } from '../../evaluation/question-sets/import-qrels.ts';
import type { Question } from '../../model/question.ts';
import {
  anyTextBody,
  beirQrelsBody,
  csvQrelsBody,
  ndjsonBody,
  qrelsBody,
  textResponse,
} from '../../schemas/bodies.ts';
import { fileQuery, ImportPreview, ImportQuery } from '../../schemas/import.ts';
import { orderWarnings } from '../../model/warnings.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { QrelsDetail, QrelsInput } from '../../schemas/qrels.ts';
import { QuestionSetSaved } from '../../schemas/question-set.ts';
import { NameParams } from '../../schemas/vocabulary.ts';
import type { Database } from '../../storage/database/database.ts';
import { streamQuestions, type QuestionSelection } from '../../storage/question-sets/questions.ts';
import { toImportRule, toWirePreview } from '../bodies/import-rule.ts';
import { setEntityTag, tagState } from '../answers/entity-tags.ts';
import { readJudgmentBody, toFileBody } from '../bodies/file-body.ts';
import { fileTypes, negotiate } from '../bodies/media-types.ts';
import { qrelsLosses, qrelsTypes, writeQrels } from '../answers/qrels-text.ts';
import { sendFormat } from '../answers/text-answer.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { getQuestionSet } from './question-sets.ts';
import { PreconditionHeaders, toPrecondition } from '../answers/preconditions.ts';
import { stateOfQuestionSet } from '../../evaluation/catalog/entity-states.ts';

export interface QrelsRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
  readonly createId: () => string;
  readonly maxBodyBytes: number;
}

export const qrelsRoutes: FastifyPluginAsyncZodOpenApi<QrelsRoutesOptions> = async (
  app,
  { dbFor, now, createId, maxBodyBytes },
) => {
  app.put(
    '/question-sets/:name/qrels',
    {
      bodyLimit: maxBodyBytes,
      config: { consumes: fileTypes },
      schema: {
        operationId: 'putQrels',
        summary: 'Add judgments in qrels format to a question set',
        description:
          'Judgments that the qrels do not contain are kept; with `?judgments=replace` each question in the qrels keeps only the judgments given there. Qrels that contradict the judgment of a judge are refused with 409, with their locations and total, unless `?judgments=` says otherwise. Read are TREC, CSV and TSV with a header, BEIR, ndjson (MTEB), ranx, and judgments of Elasticsearch and OpenSearch, LlamaIndex, Ragas, Azure, RRE, MS MARCO and learning to rank; the content decides, or `?format=`. A pair with the same grade twice counts once, with a warning; two grades for one pair are refused.',
        tags: ['question sets'],
        params: NameParams,
        headers: PreconditionHeaders,
        querystring: ImportQuery.extend({
          ...fileQuery('judgments').shape,
          create: z.enum(['true', 'false']).default('false').meta({
            description:
              'Creates the question set and questions that do not exist; each new question has its id as text.',
          }),
        }),
        body: {
          required: true,
          content: {
            'text/plain': qrelsBody,
            'text/csv': csvQrelsBody,
            'text/tab-separated-values': beirQrelsBody,
            'application/json': { schema: QrelsInput },
            'application/x-ndjson': ndjsonBody,
            'application/octet-stream': anyTextBody,
          },
        },
        response: {
          200: z.union([QuestionSetSaved, ImportPreview]),
          201: QuestionSetSaved,
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const file = toFileBody(request, request.query, maxBodyBytes);
      const entries = readJudgmentBody(file);
      const draft = { db: dbFor(request), id: createId(), now };
      const create = request.query.create === 'true';
      const rule = { ...toImportRule(request.query), precondition: toPrecondition(request) };
      const saved = await importQrels(draft, request.params.name, { entries, create, ...rule });
      if ('preview' in saved) return reply.code(200).send(toWirePreview(saved));
      tagState(reply, saved.state);
      const warnings = [...orderWarnings([...file.notes.toWarnings(), ...saved.warnings])];
      return reply.code(saved.isNew ? 201 : 200).send({ ...saved, warnings });
    },
  );

  app.get(
    '/question-sets/:name/qrels',
    {
      schema: {
        operationId: 'getQrels',
        summary: 'Get all judgments as qrels in TREC, CSV, BEIR or ranx format',
        description: 'The header Format-Losses lists what the chosen format cannot represent.',
        tags: ['question sets'],
        params: NameParams,
        response: {
          200: {
            description: 'The qrels',
            content: {
              'text/plain': textResponse,
              'text/csv': textResponse,
              'text/tab-separated-values': textResponse,
              'application/json': { schema: QrelsDetail },
            },
          },
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const set = await getQuestionSet(db, request.params.name);
      const { name, version } = set;
      const type = negotiate(request, qrelsTypes);
      const parts = ['qrels', type];
      if (setEntityTag(request, reply, { state: stateOfQuestionSet(set), parts })) return reply;
      const stream = await writeQrels(() => readSet(db, { questionSet: name, version }), type);
      return sendFormat(reply, { type, stream, losses: qrelsLosses[type] });
    },
  );
};

async function* readSet(db: Database, selection: QuestionSelection): AsyncGenerator<Question> {
  const { questionSet: name, version } = selection;
  const source = { kind: 'question-set', name, version } as const;
  const questions = failIfChangedDuringRead(db, streamQuestions(db, selection), source);
  for await (const { question } of questions) yield question;
}
