import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import {
  addVerdicts,
  closeSitting,
  openSitting,
  showSitting,
} from '../../evaluation/question-sets/sittings.ts';
import { JudgmentsSaved } from '../../schemas/judgment.ts';
import { problemResponse } from '../../schemas/problem.ts';
import {
  SittingDetail,
  SittingInput,
  SittingParams,
  toSittingDetail,
  VerdictsInput,
  VerdictsStored,
} from '../../schemas/sitting.ts';
import { findJudge } from '../access/judge.ts';
import { getPrincipal } from '../access/principal.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface SittingRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
}

export const sittingRoutes: FastifyPluginAsyncZodOpenApi<SittingRoutesOptions> = async (
  app,
  { dbFor, now },
) => {
  app.put(
    '/question-sets/:name/sittings/:sitting',
    {
      schema: {
        operationId: 'openSitting',
        summary: 'Create a sitting, in which the verdicts of a judge become one version',
        description:
          'The client chooses the id, so that a request sent twice opens one sitting. Nobody but its judge sees its verdicts. Half an hour after the last verdict it is closed by the service.',
        tags: ['question sets'],
        params: SittingParams,
        body: SittingInput,
        response: { 200: SittingDetail, 201: SittingDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const { name: questionSet, sitting: id } = request.params;
      const judge = findJudge(request.body.judge, getPrincipal(request));
      const opened = await openSitting(dbFor(request), { id, questionSet, judge, now: now() });
      return reply.code(opened.isNew ? 201 : 200).send(toSittingDetail(opened.shown));
    },
  );

  app.get(
    '/question-sets/:name/sittings/:sitting',
    {
      schema: {
        operationId: 'getSitting',
        summary: 'Get a sitting with its verdicts',
        tags: ['question sets'],
        params: SittingParams,
        response: { 200: SittingDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { name, sitting: id } = request.params;
      const judge = getPrincipal(request).name ?? undefined;
      return toSittingDetail(await showSitting(dbFor(request), name, { id, judge }));
    },
  );

  app.post(
    '/question-sets/:name/sittings/:sitting/verdicts',
    {
      schema: {
        operationId: 'addVerdicts',
        summary: 'Add verdicts to an open sitting',
        description:
          'A later verdict on the same question and document replaces the earlier one, so verdicts can be sent again after a lost connection.',
        tags: ['question sets'],
        params: SittingParams,
        body: VerdictsInput,
        response: { 200: VerdictsStored, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const db = dbFor(request);
      const { name, sitting: id } = request.params;
      const judge = getPrincipal(request).name ?? undefined;
      const shown = await showSitting(db, name, { id, judge });
      const { verdicts } = request.body;
      return { verdicts: await addVerdicts(db, shown, { verdicts, now: now() }) };
    },
  );

  app.post(
    '/question-sets/:name/sittings/:sitting/close',
    {
      schema: {
        operationId: 'closeSitting',
        summary: 'Create one version of the verdicts of a sitting, and close it',
        description: 'Closing again returns the same response.',
        tags: ['question sets'],
        params: SittingParams,
        response: { 200: JudgmentsSaved, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const db = dbFor(request);
      const { name, sitting: id } = request.params;
      const judge = getPrincipal(request).name ?? undefined;
      const shown = await showSitting(db, name, { id, judge });
      const saved = await closeSitting(db, shown, now());
      return { ...saved, warnings: [...saved.warnings] };
    },
  );
};
