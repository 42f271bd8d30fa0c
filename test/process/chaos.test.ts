import { describe, expect, it, onTestFinished } from 'vitest';

import type { AiCoreStub } from 'grounding-eval-testing';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import {
  countRepeats,
  environmentOf,
  readRankings,
  searchConcurrency,
  startLongEvaluation,
  startPumpStub,
  waitForEnd,
  waitForSearches,
} from '../helpers/long-evaluation.ts';
import { startPostgres } from '../helpers/postgres.ts';
import { startServer, type ServerProcess } from '../helpers/server-process.ts';

/** Searches whose outcome may not be in the store yet when a process is killed: those under way, and those about to be written. */
const inFlight = searchConcurrency + 50;

const kills = 10;

interface Result {
  readonly rankings: string;
  readonly measures: unknown;
}

/** `npm run test:soak` kills the service in a long evaluation; enough of it remains here for ten kills. */
const isSoak = process.env['SOAK'] === '1';
const questions = isSoak ? 10_000 : 1800;
const fewerQuestions = isSoak ? 3000 : 1200;

const undisturbed = new Map<number, Promise<Result>>();

describe('an evaluation', { timeout: 300_000 }, () => {
  it.each(databaseKinds)('survives ten times kill -9 on %s', async (kind) => {
    const expected = await findUndisturbed(questions);
    const stub = await startPumpStub();
    const environment = environmentOf(stub, await createDatabase(kind));
    const first = await startServer(environment);
    const id = await startLongEvaluation(first.url, questions);
    const last = await killRepeatedly(first, { stub, environment });
    const evaluation = await waitForEnd(last.url, id);

    expect(evaluation).toMatchObject({
      status: 'succeeded',
      progress: { done: questions, total: questions, failed: 0 },
    });
    expect(evaluation.scorecard[0]?.measures).toEqual(expected.measures);
    expect((await readRankings(last.url, id)) === expected.rankings).toBe(true);
    expect(stub.counters.questions.size).toBe(questions);
    expect(countRepeats(stub)).toBeLessThanOrEqual(kills * inFlight);
    expect(stub.counters.mostSearchesAtOnce).toBeLessThanOrEqual(searchConcurrency);
  });

  it('goes on when one of two instances is killed, within 20 seconds', async () => {
    const expected = await findUndisturbed(fewerQuestions);
    const stub = await startPumpStub(1);
    const environment = environmentOf(stub, await createDatabase('postgres'));
    const [first, second] = await Promise.all([startServer(environment), startServer(environment)]);
    const id = await startLongEvaluation(first.url, fewerQuestions);
    await waitForSearches(stub, fewerQuestions / 2);
    await first.kill();
    const evaluation = await waitForEnd(second.url, id);

    expect(evaluation).toMatchObject({ status: 'succeeded', progress: { failed: 0 } });
    expect((await readRankings(second.url, id)) === expected.rankings).toBe(true);
    expect(countRepeats(stub)).toBeLessThanOrEqual(inFlight);
    expect(stub.counters.mostSearchesAtOnce).toBeGreaterThan(searchConcurrency);
  });

  it('waits for PostgreSQL when that is stopped, and searches nothing twice', async () => {
    const expected = await findUndisturbed(fewerQuestions);
    const postgres = await startPostgres();
    onTestFinished(postgres.remove);
    const stub = await startPumpStub(1);
    const environment = environmentOf(stub, `${postgres.url}/postgres`);
    const [first, second] = await Promise.all([startServer(environment), startServer(environment)]);
    const id = await startLongEvaluation(first.url, fewerQuestions);
    await waitForSearches(stub, fewerQuestions / 4);
    await postgres.stop();
    await postgres.start();
    await waitForSearches(stub, fewerQuestions / 2);
    await postgres.stop();
    await postgres.start();
    const evaluation = await waitForEnd(second.url, id);

    expect(evaluation).toMatchObject({ status: 'succeeded', progress: { failed: 0 } });
    expect((await readRankings(first.url, id)) === expected.rankings).toBe(true);
    expect(countRepeats(stub)).toBe(0);
  });
});

/** What a run shows that nothing disturbs. It is made once. */
function findUndisturbed(count: number): Promise<Result> {
  const result = undisturbed.get(count) ?? runUndisturbed(count);
  undisturbed.set(count, result);
  return result;
}

async function runUndisturbed(count: number): Promise<Result> {
  const stub = await startPumpStub();
  const server = await startServer(environmentOf(stub, await createDatabase('sqlite')));
  const id = await startLongEvaluation(server.url, count);
  const evaluation = await waitForEnd(server.url, id);
  const rankings = await readRankings(server.url, id);
  return { rankings, measures: evaluation.scorecard[0]?.measures };
}

/** Kills the service whenever another tenth of the searches is made, and starts it again. Returns the last one. */
async function killRepeatedly(
  first: ServerProcess,
  {
    stub,
    environment,
  }: { readonly stub: AiCoreStub; readonly environment: Readonly<Record<string, string>> },
): Promise<ServerProcess> {
  let server = first;
  for (let kill = 1; kill <= kills; kill += 1) {
    await waitForSearches(stub, (kill * questions) / (kills + 2));
    await server.kill();
    server = await startServer(environment);
  }
  return server;
}
