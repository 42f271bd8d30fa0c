import { describe, expect, it, onTestFinished } from 'vitest';

import { isKept } from '../../src/evaluation/lifecycle/is-kept.ts';
import { reportEnds } from '../../src/evaluation/monitoring/report-ends.ts';
import { startService } from '../helpers/app.ts';
import { ask } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { evaluateRanks, rankedQuestions, type Ranks } from '../helpers/runs.ts';

const count = 30;
const all = (rank: number): Ranks => Array.from({ length: count }, () => rank);

describe.each(databaseKinds)('verdicts on %s', (kind) => {
  it('of a gate and of the nights since its baseline are told once, and keep the baseline', async () => {
    const { app, db, close } = await startService({ databaseUrl: await createDatabase(kind) });
    onTestFinished(close);
    await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions: rankedQuestions(count) } });
    const { id: evaluation } = await evaluateRanks(app, { nightly: all(1) });
    const baseline = { evaluation, configuration: 'nightly' };
    await ask(app, 'PUT', '/v1/baselines/main', { body: baseline });
    const gate = { baseline: 'main', measure: 'RR', maxDrop: 0.02 };
    const night = await evaluateRanks(app, { nightly: all(4) }, { gate });
    const now = new Date().toISOString();

    await reportEnds(db, { now, log: console });
    await reportEnds(db, { now, log: console });
    const told = await db.selectFrom('alert_event').select('id').orderBy('id').execute();
    const ids = told.map(({ id }) => id);

    expect(ids).toContain(`gate-failed/${night.id}`);
    expect(ids.filter((id) => id.startsWith('gate-failed/'))).toHaveLength(1);
    expect(ids).toContain(`verdict-read/${night.id}`);
    expect(await isKept(db, evaluation)).toBe(true);
    expect(await isKept(db, night.id)).toBe(false);
  });
});
