import { describe, expect, it } from 'vitest';

import {
  isTransientError,
  retryTransientErrors,
} from '../../../../src/storage/database/transient-errors.ts';

function fault(fields: object, message = 'fault'): Error {
  return Object.assign(new Error(message), fields);
}

describe('isTransientError', () => {
  // SQLSTATEs from PostgreSQL's appendix A, result codes from sqlite.org/rescode.html.
  it.each([
    ['a connection refused', fault({ code: 'ECONNREFUSED' })],
    ['a connection reset', fault({ code: 'ECONNRESET' })],
    ['each address refused', new AggregateError([fault({ code: 'ECONNREFUSED' })], 'all')],
    ['an administrator who shuts down', fault({ code: '57P01' })],
    ['a database that starts up', fault({ code: '57P03' })],
    ['a connection failure', fault({ code: '08006' })],
    ['too many connections', fault({ code: '53300' })],
    ['a full disk', fault({ code: '53100' })],
    ['a transaction that stood still', fault({ code: '25P03' })],
    ['a deadlock', fault({ code: '40P01' })],
    ['a broken connection of pg', fault({}, 'Connection terminated unexpectedly')],
    ['one that is wrapped', new Error('wrapped', { cause: fault({ code: '57P01' }) })],
    ['SQLITE_FULL', fault({ code: 'ERR_SQLITE_ERROR', errcode: 13 })],
    ['SQLITE_IOERR_WRITE', fault({ code: 'ERR_SQLITE_ERROR', errcode: 778 })],
    ['SQLITE_BUSY', fault({ code: 'ERR_SQLITE_ERROR', errcode: 5 })],
  ])('takes %s for one that passes', (_name, error) => {
    expect(isTransientError(error)).toBe(true);
  });

  it.each([
    ['a broken constraint', fault({ code: '23505' })],
    ['a syntax error', fault({ code: '42601' })],
    ['SQLITE_CONSTRAINT', fault({ code: 'ERR_SQLITE_ERROR', errcode: 19 })],
    ['SQLITE_CORRUPT', fault({ code: 'ERR_SQLITE_ERROR', errcode: 11 })],
    ['a bug', new TypeError('undefined is not a function')],
    ['what is no error', 'text'],
  ])('takes %s for one that stays', (_name, error) => {
    expect(isTransientError(error)).toBe(false);
  });
});

describe('retryTransientErrors', () => {
  it('does it again until the fault is over', async () => {
    const answers = [fault({ code: '57P03' }), fault({ code: 'ECONNREFUSED' }), 'done'];

    await expect(retryTransientErrors(() => answerNext(answers))).resolves.toBe('done');
    expect(answers).toEqual([]);
  });

  it('gives up at once on a fault that stays', async () => {
    const answers = [fault({ code: '42601' }, 'syntax'), 'done'];

    await expect(retryTransientErrors(() => answerNext(answers))).rejects.toThrow('syntax');
    expect(answers).toEqual(['done']);
  });

  it('ends when it is told to', async () => {
    const stop = new AbortController();
    const end = retryTransientErrors(() => Promise.reject(fault({ code: '57P03' })), stop.signal);
    stop.abort();

    await expect(end).rejects.toThrow('aborted');
  });
});

async function answerNext(answers: (Error | string)[]): Promise<string> {
  const answer = answers.shift() ?? '';
  if (typeof answer === 'string') return answer;
  throw answer;
}
