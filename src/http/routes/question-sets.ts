import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import { z } from 'zod';

import { AppError, NotFoundError } from '../../errors.ts';
import { importQuestions } from '../../evaluation/question-sets/import-questions.ts';
import { failIfChangedDuringRead } from '../../evaluation/catalog/fail-if-changed-during-read.ts';
import { removeQuestionSet } from '../../evaluation/question-sets/save-question-set.ts';
import { formatBeirQuestion } from '../../ir/interchange/beir-jsonl.ts';
import { fileQuery, ImportPreview, ImportQuery } from '../../schemas/import.ts';
import {
  anyTextBody,
  ndjsonBody,
  ndjsonResponse,
  questionLinesBody,
  questionTableBody,
} from '../../schemas/bodies.ts';
import { FormatQuery, NameParams, PageQuery } from '../../schemas/vocabulary.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { QuestionSetBody } from '../../schemas/question-set-body.ts';
import {
  fromQuestion,
  QuestionSetDetail,
  QuestionSetPage,
  QuestionSetSaved,
  QuestionSetVersionPage,
} from '../../schemas/question-set.ts';
import type { Database } from '../../storage/database/database.ts';
import { findVersion, listVersions } from '../../storage/question-sets/question-set-versions.ts';
import {
  findQuestionSet,
  listQuestionSets,
  type QuestionSet,
} from '../../storage/question-sets/question-sets.ts';
import { streamQuestions, type PositionedQuestion } from '../../storage/question-sets/questions.ts';
import { toNumberedPageRequest, toPageRequest, toWirePage } from '../answers/cursors.ts';
import { toImportRule, toWirePreview } from '../bodies/import-rule.ts';
import { setEntityTag, tagState } from '../answers/entity-tags.ts';
import { toFileBody } from '../bodies/file-body.ts';
import { fileTypes, negotiate, requireTextBody } from '../bodies/media-types.ts';
import { readQuestionFile } from '../bodies/question-body.ts';
import { mapStream, sendStream, streamJson, streamLines } from '../answers/streams.ts';
import { sendFormat } from '../answers/text-answer.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { queryInt } from '../../schemas/query-numbers.ts';
import { PreconditionHeaders, toPrecondition } from '../answers/preconditions.ts';
import { stateOfQuestionSet } from '../../evaluation/catalog/entity-states.ts';

export interface QuestionSetRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
  readonly createId: () => string;
  readonly maxBodyBytes: number;
}

const VersionQuery = z.strictObject({
  version: queryInt({ least: 1, most: 2_000_000_000 }).optional(),
});

/** The forms of a body of questions. */
const questionContent = {
  'application/json': { schema: QuestionSetBody },
  'application/x-ndjson': ndjsonBody,
  'text/csv': questionTableBody,
  'text/tab-separated-values': questionTableBody,
  'text/plain': questionLinesBody,
  'application/octet-stream': anyTextBody,
} as const;

export const questionSetRoutes: FastifyPluginAsyncZodOpenApi<QuestionSetRoutesOptions> = async (
  app,
  { dbFor, now, createId, maxBodyBytes },
) => {
  app.put(
    '/question-sets/:name',
    {
      bodyLimit: maxBodyBytes,
      config: { consumes: fileTypes },
      schema: {
        operationId: 'putQuestionSet',
        summary: 'Create a question set or a new version of it',
        description:
          'Judgments posted by judges are kept unless `?judgments=` says otherwise; judgments from earlier files are replaced by those of this file. A file that contradicts the judgment of a judge, or lacks a question that has one, is refused with 409, with the locations and their total. Read are JSON, ndjson, BEIR queries.jsonl, CSV and TSV with a header (`id,text,kind`, or `question,document,grade` with one row for each judgment), one question per line, and datasets of Elasticsearch and OpenSearch, LlamaIndex, Ragas, Azure and RRE; the content decides, or `?format=`. A question without an id is named by its text. Where the file has no judgments (BEIR, a table without documents), existing questions keep theirs and their attributes.',
        tags: ['question sets'],
        params: NameParams,
        headers: PreconditionHeaders,
        querystring: ImportQuery.extend(fileQuery('questions').shape),
        body: {
          required: true,
          content: questionContent,
        },
        response: {
          200: z.union([QuestionSetSaved, ImportPreview]),
          201: QuestionSetSaved,
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      if (request.query.format === 'beir') requireTextBody(request, 'beir');
      const file = toFileBody(request, request.query, maxBodyBytes);
      const draft = { db: dbFor(request), id: createId(), now };
      const rule = { ...toImportRule(request.query), precondition: toPrecondition(request) };
      const saved = await importQuestions(draft, request.params.name, {
        ...readQuestionFile(file),
        ...rule,
      });
      if ('preview' in saved) return reply.code(200).send(toWirePreview(saved));
      tagState(reply, saved.state);
      const warnings = [...file.notes.toWarnings(), ...saved.warnings];
      return reply.code(saved.isNew ? 201 : 200).send({ ...saved, warnings });
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
        summary: 'Get a version of a question set, by default the latest',
        description:
          'With `?format=beir` as a BEIR queries.jsonl; the header Format-Losses lists what that format cannot represent.',
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
      const state = stateOfQuestionSet(set);
      if (setEntityTag(request, reply, { state, parts: [type, isBeir] })) return reply;
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
        summary: 'Delete a question set and all its versions',
        description:
          'Answers 409 while an evaluation of the question set is queued or running. Stored evaluations keep the versions they refer to.',
        tags: ['question sets'],
        params: NameParams,
        headers: PreconditionHeaders,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const draft = { db: dbFor(request), id: createId(), now };
      await removeQuestionSet(draft, request.params.name, {
        precondition: toPrecondition(request),
      });
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

function toBeirLine({ question: { id, text } }: PositionedQuestion): string {
  return formatBeirQuestion({ questionId: id, text });
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
  return failIfChangedDuringRead(db, stored, { kind: 'question-set', name, version });
}
