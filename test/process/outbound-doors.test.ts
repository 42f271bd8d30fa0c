import { afterEach, describe, expect, it, vi } from 'vitest';

import { type Attack, startHostileServer } from '../helpers/hostile-server.ts';
import { type OutboundDoor, outboundDoors, trustLocalhost } from '../helpers/outbound-doors.ts';

afterEach(() => vi.unstubAllEnvs());

const doors = Object.entries(outboundDoors);

describe.each(doors)('a request to %s', (_name, door) => {
  it('is not sent on by a redirect', async () => {
    const { failure, server } = await attack(door, 'redirect');
    expect(failure).toMatch(/redirect/i);
    expect(server.strangerRequests).toEqual([]);
  });

  it('stops reading an answer that is too long', async () => {
    const { failure, server } = await attack(door, 'endless');
    expect(failure).toMatch(/more than|too long/);
    // What is on its way in the buffers of both sides comes on top.
    expect(server.countSent()).toBeLessThan(door.bytes + 12 * 2 ** 20);
  });

  it('does not unpack an answer without bound', async () => {
    const before = process.memoryUsage();
    const { failure } = await attack(door, 'bomb');
    const after = process.memoryUsage();
    expect(failure).toMatch(/more than|too long|compressed|no token|answered 2/);
    expect(after.external - before.external).toBeLessThan(64 * 2 ** 20);
  });
});

it('gives up on every answer that comes a byte at a time', async () => {
  const failures = await Promise.all(
    doors.map(async ([name, door]) => {
      const startedAt = performance.now();
      const { failure } = await attack(door, 'drip');
      return { name, failure, ms: performance.now() - startedAt };
    }),
  );
  expect(failures.filter(({ failure }) => !/in time|within \d+ ms/.test(failure))).toEqual([]);
  expect(Math.max(...failures.map(({ ms }) => ms))).toBeLessThan(20_000);
}, 40_000);

it('reads ten answers of 150 MB in little memory', async () => {
  const door = outboundDoors['a search of AI Core']!;
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 10);
  const attacks = await Promise.all(Array.from({ length: 10 }, () => attack(door, 'endless')));
  clearInterval(timer);
  // Ten at once, on a busy machine, may be out of time before they are too long.
  expect(attacks.filter(({ failure }) => !/16 MiB|within \d+ ms/.test(failure))).toEqual([]);
  expect(peak - before).toBeLessThan(700 * 2 ** 20);
});

async function attack(door: OutboundDoor, kind: Attack) {
  const certificate = door.isSecure ? trustLocalhost() : undefined;
  const server = await startHostileServer({ attack: kind, path: door.path, certificate });
  const failure = await door
    .knock(server.url)
    .then((answer) => `no failure, but ${JSON.stringify(answer)?.slice(0, 100)}`, toText);
  return { failure, server };
}

/** The error and what caused it. */
function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} ${toText(error.cause)}`;
}
