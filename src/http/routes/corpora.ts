import type { Readable } from 'node:stream';

import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { countPassages } from '../../retrieval/registry.ts';
import { failIfChangedDuringRead } from '../../evaluation/catalog/fail-if-changed-during-read.ts';
import {
  removeCorpus,
  saveCorpus,
  toDocumentRecord,
} from '../../evaluation/catalog/save-corpus.ts';
import { formatBeirDocument } from '../../ir/interchange/beir-jsonl.ts';
import { ndjsonBody, ndjsonResponse } from '../../schemas/bodies.ts';
import { FormatQuery, NameParams, PageQuery } from '../../schemas/vocabulary.ts';
import {
  CorpusDetail,
  CorpusInput,
  CorpusPage,
  CorpusQuery,
  CorpusSummary,
  DocumentInput,
  toDocument,
} from '../../schemas/corpus.ts';
import { problemResponse } from '../../schemas/problem.ts';
import {
  findCorpus,
  findLexicon,
  listCorpora,
  streamDocuments,
  type CorpusDocument,
} from '../../storage/catalog/corpora.ts';
import { readBeirDocuments } from '../bodies/beir-body.ts';
import { toPageRequest, toWirePage } from '../answers/cursors.ts';
import type { Line } from '../../interchange/split-lines.ts';
import { readJsonLines, readLines, type Entry } from '../bodies/line-body.ts';
import { negotiate, requireTextBody } from '../bodies/media-types.ts';
import { mapStream, sendStream, streamJson, streamLines } from '../answers/streams.ts';
import { sendFormat } from '../answers/text-answer.ts';
import { collectUnique, toEntries } from '../bodies/unique-entries.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { PreconditionHeaders, toPrecondition } from '../answers/preconditions.ts';
import { stateOfCorpus } from '../../evaluation/catalog/entity-states.ts';
import { setEntityTag, tagState } from '../answers/entity-tags.ts';

export interface CorpusRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
  readonly maxBodyBytes: number;
}

export const corpusRoutes: FastifyPluginAsyncZodOpenApi<CorpusRoutesOptions> = async (
  app,
  { dbFor, now, maxBodyBytes },
) => {
  app.put(
    '/corpora/:name',
    {
      bodyLimit: maxBodyBytes,
      config: { consumes: ['application/json', 'application/x-ndjson'], holdsLines: true },
      schema: {
        operationId: 'putCorpus',
        summary: 'Create or replace a corpus for the `local` backend',
        description:
          'Replaces the whole corpus. An ndjson upload keeps the existing lexicon. With `?format=beir` the ndjson is a BEIR corpus.jsonl, and each text becomes one paragraph. Answers 409 while an evaluation searches the corpus.',
        tags: ['corpora'],
        params: NameParams,
        headers: PreconditionHeaders,
        querystring: FormatQuery,
        body: {
          required: true,
          content: {
            'application/json': { schema: CorpusInput },
            'application/x-ndjson': ndjsonBody,
          },
        },
        response: { 200: CorpusSummary, 201: CorpusSummary, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { name } = request.params;
      const body = request.body as CorpusInput | Readable;
      const isJson = 'documents' in body;
      const isBeir = request.query.format === 'beir';
      if (isBeir) requireTextBody(request, 'beir');
      const entries = isJson
        ? toEntries(body.documents)
        : readDocuments(readLines(body, maxBodyBytes), isBeir);
      const documents = await collectUnique(entries, {
        collection: 'documents',
        toRecord: (input) => toDocumentRecord(toDocument(input)),
      });
      const lexicon = isJson ? (body.lexicon ?? null) : await findLexicon(db, name);
      const how = { now: now(), precondition: toPrecondition(request) };
      const saved = await saveCorpus(db, name, { documents, lexicon, ...how });
      tagState(reply, stateOfCorpus(saved.corpus));
      return reply.code(saved.isNew ? 201 : 200).send(saved.corpus);
    },
  );

  app.get(
    '/corpora',
    {
      schema: {
        operationId: 'listCorpora',
        summary: 'List corpora by name',
        tags: ['corpora'],
        querystring: PageQuery,
        response: { 200: CorpusPage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) =>
      toWirePage(
        await listCorpora(dbFor(request), toPageRequest(request.query)),
        (corpus) => corpus,
      ),
  );

  app.get(
    '/corpora/:name',
    {
      schema: {
        operationId: 'getCorpus',
        summary: 'Get a corpus',
        description:
          'With `?format=beir` as a BEIR corpus.jsonl; the header Format-Losses lists what that format cannot represent.',
        tags: ['corpora'],
        params: NameParams,
        querystring: CorpusQuery,
        response: {
          200: {
            description: 'The corpus',
            content: {
              'application/json': { schema: CorpusDetail },
              'application/x-ndjson': ndjsonResponse,
            },
          },
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { name } = request.params;
      const corpus = await findCorpus(db, name);
      if (!corpus) throw new NotFoundError('Corpus', name);
      const { format, passages: wantsPassages, size } = request.query;
      const isCounted = wantsPassages === 'true';
      const isBeir = format === 'beir';
      const type = isBeir
        ? 'application/x-ndjson'
        : negotiate(request, ['application/json', 'application/x-ndjson']);
      if (isCounted && type !== 'application/json') refusePassages();
      const state = stateOfCorpus(corpus);
      const parts = [type, isBeir, ...(isCounted ? [size] : [])] as const;
      if (setEntityTag(request, reply, { state, parts })) return reply;
      const source = { kind: 'corpus', name, contentHash: corpus.contentHash } as const;
      const documents = failIfChangedDuringRead(db, streamDocuments(db, name), source);
      if (isBeir) {
        const stream = streamLines(documents, toBeirLine);
        return sendFormat(reply, { type, stream, losses: 'beir-corpus' });
      }
      if (type === 'application/x-ndjson') {
        const stream = streamLines(documents, (document) => JSON.stringify(document));
        return sendStream(reply, { type, stream });
      }
      const { contentHash, updatedAt } = corpus;
      const passages = isCounted
        ? {
            passages: await countByStrategy(
              failIfChangedDuringRead(db, streamDocuments(db, name), source),
              size,
            ),
          }
        : {};
      const lexicon = await findLexicon(db, name);
      const head = { name, contentHash, updatedAt, ...passages, lexicon };
      const entries = mapStream(documents, (document) => JSON.stringify(document));
      const stream = streamJson(head, 'documents', { brackets: '[]', entries });
      return sendStream(reply, { type, stream });
    },
  );

  app.delete(
    '/corpora/:name',
    {
      schema: {
        operationId: 'deleteCorpus',
        summary: 'Delete a corpus',
        tags: ['corpora'],
        params: NameParams,
        headers: PreconditionHeaders,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      await removeCorpus(dbFor(request), request.params.name, now(), toPrecondition(request));
      return reply.code(204).send();
    },
  );
};

async function countByStrategy(
  documents: AsyncIterable<CorpusDocument>,
  size: number,
): Promise<NonNullable<CorpusDetail['passages']>> {
  const [whole = 0, sections = 0, fixed = 0] = await countPassages(documents, [
    { strategy: 'whole' },
    { strategy: 'sections' },
    { strategy: 'fixed', size },
  ]);
  return { whole, sections, fixed: { size, passages: fixed } };
}

function refusePassages(): never {
  const errors = [{ pointer: '/query/passages', detail: 'is only available for JSON' }];
  throw new InvalidInputError('Passages cannot be counted in this format', errors);
}

function readDocuments(
  lines: AsyncIterable<Line>,
  isBeir: boolean,
): AsyncIterable<Entry<DocumentInput>> {
  return isBeir ? readBeirDocuments(lines) : readJsonLines(lines, DocumentInput, 'documents');
}

function toBeirLine({ id, title, paragraphs, metadata = {} }: CorpusDocument): string {
  const values = Object.entries(metadata).map(
    ([key, texts]) => [key, texts.length === 1 ? texts[0] : texts] as const,
  );
  return formatBeirDocument({
    documentId: id,
    title,
    text: paragraphs.join('\n\n'),
    ...(values.length > 0 && { metadata: Object.fromEntries(values) }),
  });
}
