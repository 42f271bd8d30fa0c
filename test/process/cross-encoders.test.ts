import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, describe, expect, it, onTestFinished } from 'vitest';

import { createCrossEncoders } from '../../src/retrieval/cross-encoder/cross-encoders.ts';
import type { StageRun } from '../../src/retrieval/pipeline/stage-run.ts';
import { testReranker } from '../contract/reranker-contract.ts';
import { writeTinyCrossEncoder } from '../helpers/tiny-cross-encoder.ts';

const words = ['brake', 'pad', 'chain', 'lamp', 'bell'];

describe('createCrossEncoders', () => {
  const contractRoot = mkdtempSync(join(tmpdir(), 'cross-encoders-'));
  writeTinyCrossEncoder(join(contractRoot, 'tiny'), words);
  const contractReranker = createCrossEncoders(contractRoot).createReranker('tiny');
  afterAll(() => rmSync(contractRoot, { recursive: true, force: true }));

  testReranker(() => contractReranker);

  it('orders passages by the logit of the pair', async () => {
    const { rerank } = start();
    // Pairs of equal tokens and 1 for the separators: 2·1 + 1, 2·2 + 1·1 + 1, 0 + 1, 2·1 + 1·2 + 1.
    const reranking = await rerank('brake brake pad', [
      ['', 'brake lamp'],
      ['', 'brake brake pad bell'],
      ['', 'bell'],
      ['Pad', 'brake pad'],
    ]);
    expect(reranking).toEqual({ order: [1, 3, 0, 2], scores: [3, 6, 1, 5] });
  });

  it('keeps the order of equal passages, whatever batch they are in', async () => {
    const { rerank } = start();
    const texts = Array.from({ length: 19 }, (_, index) => (index === 17 ? 'brake' : 'lamp bell'));
    const { order } = await rerank(
      'brake',
      texts.map((text) => ['', text]),
    );
    expect(order).toEqual([17, ...Array.from({ length: 17 }, (_, index) => index), 18]);
  });

  it('cuts what is too long: questions at 1,000 characters, passages at 4,000, both at 512 tokens', async () => {
    const { rerank } = start();
    // A word of x alone is unknown to the model, as any other unknown word: it is equal to itself.
    const { scores } = await rerank(`${'x'.repeat(994)} brake brake`, [
      ['', `${'x'.repeat(3994)} brake brake`],
      ['', 'pad '.repeat(600)],
      ['', `${'bell '.repeat(507)}brake brake`],
    ]);
    // One "brake" is left of the question's two, and of the first passage's: with the unknown words and the
    // separators that makes 3. Beside the question's four tokens there is room for 508: the other passages lose
    // their separator, and the third all but one "brake".
    expect(scores).toEqual([3, 0, 1]);
  });

  it('goes on with the next question when one is given up', async () => {
    const { rerank } = start();
    const stop = new AbortController();
    const passages = Array.from({ length: 20 }, () => ['', 'brake'] as const);
    const given = rerank('brake', passages, { signal: stop.signal });
    stop.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    expect(await rerank('brake', [['', 'brake']])).toMatchObject({ scores: [2] });
  });

  it('counts the time of computing alone', async () => {
    const { rerank, spent } = start();
    await rerank('brake', [['', 'brake']]);
    expect(spent).toHaveLength(1);
    expect(spent[0]?.latencyMs).toBeGreaterThan(0);
  });

  it('keeps two models in memory, and loads the others again', async () => {
    const root = makeRoot();
    const names = ['one', 'two', 'three'];
    for (const name of names) writeTinyCrossEncoder(join(root, name), words);
    const encoders = createCrossEncoders(root);
    for (const name of [...names, 'one']) {
      const { rerank } = encoders.createReranker(name);
      const reranking = await rerank('pad', [{ title: '', text: 'pad' }], makeRun([]));
      expect(reranking.scores).toEqual([2]);
    }
  });

  it('holds up nobody while it computes', async () => {
    const { rerank } = start();
    await rerank('brake', [['', 'brake']]);
    const before = performance.eventLoopUtilization();
    const passages = Array.from({ length: 256 }, () => ['', 'brake '.repeat(510)] as const);
    const { scores } = await rerank('brake', passages);
    const { utilization } = performance.eventLoopUtilization(before);
    // Beside the one "brake" of the question and three marks there is room for 509 of the passage.
    expect(scores?.[255]).toBe(509);
    // Computed in this thread it would be busy all the time.
    expect(utilization).toBeLessThan(0.5);
  });

  it('does not keep a process alive', async () => {
    const root = makeRoot();
    writeTinyCrossEncoder(join(root, 'tiny'), words);
    const url = new URL('../../src/retrieval/cross-encoder/cross-encoders.ts', import.meta.url);
    const script = `
      const { createCrossEncoders } = await import(${JSON.stringify(url.href)});
      const run = { signal: new AbortController().signal, meter: { add() {} } };
      const waiting = setInterval(() => {}, 1000);
      const { rerank } = createCrossEncoders(${JSON.stringify(root)}).createReranker('tiny');
      const { scores } = await rerank('pad', [{ title: '', text: 'pad' }], run);
      clearInterval(waiting);
      console.log(JSON.stringify(scores));`;
    const file = join(root, 'score.mjs');
    writeFileSync(file, script);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 });
    expect(stdout.trim()).toBe('[2]');
  });
});

describe('createCrossEncoders on failures', () => {
  it('says that no folder of models is named', () => {
    expect(createCrossEncoders(undefined).findObstacle('tiny')).toContain('CROSS_ENCODER_ROOT');
  });

  it.each([
    ['a folder that is not there', 'gone', "no cross-encoder folder 'gone'"],
    ['a file', 'file', "no cross-encoder folder 'file'"],
    ['a way out of the root', '../tiny', 'no cross-encoder folder'],
    ['a longer way out', 'tiny/../../secret', 'no cross-encoder folder'],
    ['an absolute path', '/etc', 'no cross-encoder folder'],
    ['a link that leads out of the root', 'link', 'no cross-encoder folder'],
    ['a model without a tokenizer', 'bare', 'lacks tokenizer.json, tokenizer_config.json'],
    ['a model without weights', 'light', 'lacks onnx/model.onnx and onnx/model_quantized.onnx'],
  ])('says what is wrong with %s', (_case, model, said) => {
    expect(createCrossEncoders(makeRootOfFaults()).findObstacle(model)).toContain(said);
  });

  it.each([
    ['a folder', 'tiny'],
    ['a folder in a folder', 'team/tiny'],
  ])('has nothing against %s with all that a model takes', (_case, model) => {
    expect(createCrossEncoders(makeRootOfFaults()).findObstacle(model)).toBeUndefined();
  });

  it.each([
    ['weights that are none', 'broken', /'broken' cannot score passages/],
    ['a model of two labels', 'two', /returns 2 values for a pair/],
    ['a model that is gone', 'gone', /no cross-encoder folder 'gone'/],
  ])('fails on %s', async (_case, model, said) => {
    const { rerank } = createCrossEncoders(makeRootOfFaults()).createReranker(model);
    const reranking = rerank('pad', [{ title: '', text: 'pad' }], makeRun([]));
    await expect(reranking).rejects.toMatchObject({
      code: 'retriever-failed',
      message: expect.stringMatching(said) as string,
    });
  });
});

type ShortPassage = readonly [title: string, text: string];

function start() {
  const root = makeRoot();
  writeTinyCrossEncoder(join(root, 'tiny'), words);
  const { rerank } = createCrossEncoders(root).createReranker('tiny');
  const spent: { readonly latencyMs?: number | undefined }[] = [];
  return {
    spent,
    rerank: (question: string, passages: readonly ShortPassage[], change: Partial<StageRun> = {}) =>
      rerank(
        question,
        passages.map(([title, text]) => ({ title, text })),
        { ...makeRun(spent), ...change },
      ),
  };
}

function makeRun(spent: object[]): StageRun {
  const add = (part: object) => void spent.push(part);
  return { signal: AbortSignal.timeout(30_000), meter: { add, read: readNothing } };
}

function readNothing(): never {
  throw new Error('nobody reads it');
}

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'cross-encoders-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

function makeRootOfFaults(): string {
  const parent = makeRoot();
  const root = join(parent, 'root');
  writeTinyCrossEncoder(join(parent, 'tiny'), words);
  writeTinyCrossEncoder(join(root, 'tiny'), words);
  writeTinyCrossEncoder(join(root, 'team', 'tiny'), words);
  writeTinyCrossEncoder(join(root, 'two'), words, { labels: 2 });
  writeTinyCrossEncoder(join(root, 'broken'), words);
  writeFileSync(join(root, 'broken', 'onnx', 'model.onnx'), 'no model');
  writeTinyCrossEncoder(join(root, 'light'), words);
  rmSync(join(root, 'light', 'onnx'), { recursive: true });
  mkdirSync(join(root, 'bare'));
  writeFileSync(join(root, 'bare', 'config.json'), '{}');
  writeFileSync(join(root, 'file'), '');
  symlinkSync(join(parent, 'tiny'), join(root, 'link'));
  return root;
}
