import type { Readable } from 'node:stream';

import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import { z } from 'zod';

import { AppError, NotFoundError } from '../../errors.ts';
import { changeQuestionSet } from '../../evaluation/change-question-set.ts';
import { importQuestionTexts } from '../../evaluation/import-question-texts.ts';
import { createLabelWarnings } from '../../evaluation/label-warnings.ts';
import { readIntact } from '../../evaluation/read-intact.ts';
import {
  removeQuestionSet,
  saveQuestionSet,
  toQuestionRecord,
  type SavedQuestionSet,
} from '../../evaluation/save-question-set.ts';
import { warnIf, type Warning } from '../../evaluation/warnings.ts';
import { formatBeirQuestion } from '../../ir/interchange/beir-jsonl.ts';
import { ndjsonBody, ndjsonResponse } from '../../schemas/bodies.ts';
import { FormatQuery, NameParams, PageQuery } from '../../schemas/vocabulary.ts';
import { problemResponse } from '../../schemas/problem.ts';
import {
  fromQuestion,
  QuestionInput,
  QuestionSetDetail,
  QuestionSetInput,
  QuestionSetPage,
  QuestionSetSaved,
  QuestionSetVersionPage,
  toQuestion,
} from '../../schemas/question-set.ts';
import type { Database } from '../../storage/database.ts';
import { findVersion, listVersions } from '../../storage/question-set-versions.ts';
import {
  findQuestionSet,
  listQuestionSets,
  type QuestionSet,
} from '../../storage/question-sets.ts';
import { streamQuestions, type PositionedQuestion } from '../../storage/questions.ts';
import { readBeirQuestions } from '../beir-body.ts';
import { toNumberedPageRequest, toPageRequest, toWirePage } from '../cursors.ts';
import { setEntityTag } from '../entity-tags.ts';
import { readJsonLines, readLines, type Line } from '../line-body.ts';
import { negotiate, requireBodyType } from '../media-types.ts';
import { mapStream, sendStream, streamJson, streamLines } from '../streams.ts';
import { sendFormat } from '../text-answer.ts';
import { collectUnique, toEntries } from '../unique-entries.ts';
import { getPrincipal } from '../principal.ts';
import type { TenantDatabases } from '../tenant-databases.ts';
import { queryInt } from '../../schemas/query-numbers.ts';

export interface QuestionSetRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
  readonly maxBodyBytes: number;
}

const VersionQuery = z.strictObject({
  version: queryInt({ least: 1, most: 2_000_000_000 }).optional(),
});

export const questionSetRoutes: FastifyPluginAsyncZodOpenApi<QuestionSetRoutesOptions> = async (
  app,
  { dbFor, now, maxBodyBytes },
) => {
  app.put(
    '/question-sets/:name',
    {
      bodyLimit: maxBodyBytes,
      config: { consumes: ['application/json', 'application/x-ndjson'] },
      schema: {
        operationId: 'putQuestionSet',
        summary: 'Store labelled questions as the next version of a question set',
        description:
          'With ?format=beir the ndjson is a queries.jsonl of BEIR: questions that exist keep their judgments and attributes, new ones have none until PUT …/qrels.',
        tags: ['question sets'],
        params: NameParams,
        querystring: FormatQuery,
        body: {
          required: true,
          content: {
            'application/json': { schema: QuestionSetInput },
            'application/x-ndjson': ndjsonBody,
          },
        },
        response: { 200: QuestionSetSaved, 201: QuestionSetSaved, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { name } = request.params;
      const by = { judge: getPrincipal(request).name, judgedAt: now() };
      const body = request.body as QuestionSetInput | Readable;
      if (request.query.format === 'beir') {
        requireBodyType(request, 'beir', 'application/x-ndjson');
        const lines = readLines(body as Readable, maxBodyBytes);
        const imported = await importBeir(db, name, { lines, now: by.judgedAt });
        return reply.code(imported.isNew ? 201 : 200).send(imported);
      }
      const entries =
        'questions' in body
          ? toEntries(body.questions)
          : readJsonLines(readLines(body, maxBodyBytes), QuestionInput, 'questions');
      const { records, labels } = await collectQuestions(entries, by);
      const description = 'questions' in body ? body.description : undefined;
      const saved = await changeQuestionSet(db, name, (trx, set) =>
        saveQuestionSet(trx, set, { questions: records, description, now: by.judgedAt }),
      );
      return reply.code(saved.isNew ? 201 : 200).send(warnAlso(saved, labels));
    },
  );

  app.get(
    '/question-sets',
    {
      schema: {
        operationId: 'listQuestionSets',
        summary: 'List question sets by name, each with its latest version',
        tags: ['question sets'],
        querystring: PageQuery,
        response: { 200: QuestionSetPage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const page = await listQuestionSets(dbFor(request), toPageRequest(request.query));
      return toWirePage(page, (set) => set);
    },
  );

  app.get(
    '/question-sets/:name',
    {
      schema: {
        operationId: 'getQuestionSet',
        summary: 'Read a version of a question set, the latest unless said otherwise',
        description:
          'With ?format=beir as a queries.jsonl of BEIR; the header Format-Losses says what that cannot hold.',
        tags: ['question sets'],
        params: NameParams,
        querystring: VersionQuery.extend(FormatQuery.shape),
        response: {
          200: {
            description: 'The question set',
            content: {
              'application/json': { schema: QuestionSetDetail },
              'application/x-ndjson': ndjsonResponse,
            },
          },
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const set = await getQuestionSet(dbFor(request), request.params.name, request.query.version);
      const isBeir = request.query.format === 'beir';
      const type = isBeir
        ? 'application/x-ndjson'
        : negotiate(request, ['application/json', 'application/x-ndjson']);
      const { name, version, contentHash, createdAt, createdBy, description } = set;
      if (setEntityTag(request, reply, [contentHash, version, description, type, isBeir])) {
        return reply;
      }
      const questions = readVersion(dbFor(request), name, version);
      if (isBeir) {
        const stream = streamLines(questions, toBeirLine);
        return sendFormat(reply, { type, stream, losses: 'beir-queries' });
      }
      if (type === 'application/x-ndjson') {
        return sendStream(reply, { type, stream: streamLines(questions, toText) });
      }
      const head = { name, description, version, contentHash, createdAt, createdBy };
      const entries = mapStream(questions, toText);
      const stream = streamJson(head, 'questions', { brackets: '[]', entries });
      return sendStream(reply, { type, stream });
    },
  );

  app.get(
    '/question-sets/:name/versions',
    {
      schema: {
        operationId: 'listQuestionSetVersions',
        summary: 'List the versions of a question set, newest first',
        tags: ['question sets'],
        params: NameParams,
        querystring: PageQuery,
        response: { 200: QuestionSetVersionPage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { name } = await getQuestionSet(dbFor(request), request.params.name);
      const page = await listVersions(dbFor(request), name, toNumberedPageRequest(request.query));
      return toWirePage(page, (version) => version);
    },
  );

  app.delete(
    '/question-sets/:name',
    {
      schema: {
        operationId: 'deleteQuestionSet',
        summary: 'Delete a question set with all its versions',
        description:
          'Refused with 409 while an evaluation of it is queued or running. Versions that stored evaluations read stay with them.',
        tags: ['question sets'],
        params: NameParams,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      await removeQuestionSet(dbFor(request), request.params.name, now());
      return reply.code(204).send();
    },
  );
};

/** A version that was not deleted, the latest unless said otherwise. */
export async function getQuestionSet(
  db: Database,
  name: string,
  version?: number,
): Promise<QuestionSet> {
  const latest = await findQuestionSet(db, name);
  if (!latest) throw new NotFoundError('Question set', name);
  if (version === undefined) return latest;
  const found = await findVersion(db, name, version);
  if (found) return { ...latest, ...found };
  throw new AppError('not-found', `Question set '${name}' has no version ${version}`);
}

/** Stores the questions of a `queries.jsonl`, and says what of them was not kept. */
async function importBeir(
  db: Database,
  name: string,
  { lines, now }: { readonly lines: AsyncIterable<Line>; readonly now: string },
) {
  const texts = await collectUnique(readBeirQuestions(lines), {
    collection: 'questions',
    toRecord: (question) => question,
  });
  const saved = await importQuestionTexts(db, name, { texts, now });
  const withMetadata = texts.filter(({ hasMetadata }) => hasMetadata).length;
  const message = 'The metadata of questions are not kept';
  return warnAlso(saved, warnIf(withMetadata, { code: 'dropped-metadata', message }));
}

function warnAlso(saved: SavedQuestionSet, warnings: readonly Warning[]) {
  return { ...saved, warnings: [...saved.warnings, ...warnings] };
}

function toBeirLine({ question: { id, text } }: PositionedQuestion): string {
  return formatBeirQuestion({ questionId: id, text });
}

async function collectQuestions(
  entries: AsyncIterable<{ readonly value: QuestionInput; readonly line?: number }>,
  by: { readonly judge: string | null; readonly judgedAt: string },
) {
  const labels = createLabelWarnings();
  const records = await collectUnique(entries, {
    collection: 'questions',
    toRecord: (input, position) => {
      const question = toQuestion(input, by);
      labels.add(question);
      return toQuestionRecord(question, position);
    },
  });
  return { records, labels: labels.toList() };
}

function toText({ question }: PositionedQuestion): string {
  return JSON.stringify(fromQuestion(question));
}

function readVersion(
  db: Database,
  name: string,
  version: number,
): AsyncGenerator<PositionedQuestion> {
  const stored = streamQuestions(db, { questionSet: name, version });
  return readIntact(db, stored, { kind: 'question-set', name, version });
}
