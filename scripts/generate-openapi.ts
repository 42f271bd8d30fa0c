import { writeFile } from 'node:fs/promises';

import { toJsonSchema } from '../src/cli/run-file/run-file.ts';
import { buildApp } from '../src/app.ts';
import { createSearchSources } from '../src/evaluation/catalog/search-sources.ts';
import { createInProcessJobs } from '../src/jobs/in-process-jobs.ts';
import { createRetrieverRegistry } from '../src/retrieval/registry.ts';
import { openDatabase } from '../src/storage/database/database.ts';
import { writeApiTypes } from '../web/build/write-api-types.ts';

const db = openDatabase('sqlite::memory:');
const now = () => new Date().toISOString();
const log = { info: () => undefined, error: () => undefined };
const retrievers = createRetrieverRegistry(createSearchSources(db));
const context = { db, retrievers, now, log, searchConcurrency: 1 };
const jobs = createInProcessJobs({ ...context, concurrentEvaluations: 1, drainMs: 0 });
const app = await buildApp({ ...context, jobs, createId: () => '', maxBodyBytes: 1 });
await writeFile('openapi/openapi.json', `${JSON.stringify(app.swagger(), null, 2)}\n`);
await writeFile(
  'schemas/grounding-eval.schema.json',
  `${JSON.stringify(toJsonSchema(), null, 2)}\n`,
);
await app.close();
await db.destroy();
await writeApiTypes();
