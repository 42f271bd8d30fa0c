import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { NotFoundError } from '../../errors.ts';
import { removeSchedule, saveSchedule } from '../../evaluation/monitoring/save-schedule.ts';
import { problemResponse } from '../../schemas/problem.ts';
import {
  ScheduleDetail,
  ScheduleInput,
  SchedulePage,
  toScheduleDetail,
} from '../../schemas/schedule.ts';
import { NameParams, PageQuery } from '../../schemas/vocabulary.ts';
import type { Database } from '../../storage/database/database.ts';
import { listTicks } from '../../storage/monitoring/schedule-ticks.ts';
import {
  findSchedule,
  listSchedules,
  type StoredSchedule,
} from '../../storage/monitoring/schedules.ts';
import { toPageRequest, toWirePage } from '../answers/cursors.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { PreconditionHeaders, toNamedChange } from '../answers/preconditions.ts';
import { stateOfSchedule } from '../../evaluation/catalog/entity-states.ts';
import { tagState } from '../answers/entity-tags.ts';

export interface ScheduleRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
}

const shownTicks = 10;

export const scheduleRoutes: FastifyPluginAsyncZodOpenApi<ScheduleRoutesOptions> = async (
  app,
  { dbFor, now },
) => {
  app.put(
    '/schedules/:name',
    {
      schema: {
        operationId: 'putSchedule',
        summary: 'Create or replace a schedule',
        description:
          'Each tick creates one evaluation, regardless of the number of instances. A tick that passed while no instance was running is made up for within an hour.',
        tags: ['schedules'],
        params: NameParams,
        headers: PreconditionHeaders,
        body: ScheduleInput,
        response: { 200: ScheduleDetail, 201: ScheduleDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const change = toNamedChange(request, now());
      const { stored, isNew } = await saveSchedule(db, change, request.body);
      tagState(reply, stateOfSchedule(stored));
      return reply.code(isNew ? 201 : 200).send(await describe(db, stored));
    },
  );

  app.get(
    '/schedules',
    {
      schema: {
        operationId: 'listSchedules',
        summary: 'List schedules by name',
        tags: ['schedules'],
        querystring: PageQuery,
        response: { 200: SchedulePage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const db = dbFor(request);
      const { items, nextCursor } = await listSchedules(db, toPageRequest(request.query));
      const described = await Promise.all(items.map((item) => describe(db, item)));
      return toWirePage({ items: described, nextCursor }, (item) => item);
    },
  );

  app.get(
    '/schedules/:name',
    {
      schema: {
        operationId: 'getSchedule',
        summary: 'Get a schedule with its next and latest runs',
        tags: ['schedules'],
        params: NameParams,
        response: { 200: ScheduleDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { name } = request.params;
      const schedule = await findSchedule(db, name);
      if (!schedule) throw new NotFoundError('Schedule', name);
      const detail = await describe(db, schedule);
      tagState(reply, stateOfSchedule(schedule), [detail]);
      return detail;
    },
  );

  app.delete(
    '/schedules/:name',
    {
      schema: {
        operationId: 'deleteSchedule',
        summary: 'Delete a schedule but keep its evaluations',
        tags: ['schedules'],
        params: NameParams,
        headers: PreconditionHeaders,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      await removeSchedule(dbFor(request), toNamedChange(request, now()));
      return reply.code(204).send();
    },
  );
};

async function describe(db: Database, schedule: StoredSchedule) {
  return toScheduleDetail(schedule, await listTicks(db, schedule.name, shownTicks));
}
