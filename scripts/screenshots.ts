import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { Browser } from 'playwright-core';

import { launchBrowser } from '../test/helpers/browser.ts';
import { createClient, type Client } from './demo/client.ts';
import { startTemporaryService } from './demo/service.ts';
import { print, runForReader } from './demo/print.ts';

const { values } = parseArgs({
  options: {
    /** All widths and both schemes, to be looked at. */
    all: { type: 'boolean', default: false },
    to: { type: 'string', default: 'docs/images' },
    language: { type: 'string', default: 'en-US' },
  },
});

const widths = values.all ? [390, 1280, 1920] : [1280];
const schemes = values.all ? (['light', 'dark'] as const) : (['light'] as const);
const methods = ['bm25', 'vector', 'hybrid', 'rerank'];

await runForReader(async () => {
  mkdirSync(values.to, { recursive: true });
  await using service = await startTemporaryService();
  const browser = await launchBrowser();
  if (!browser) throw new Error('There is no browser to take pictures with');
  try {
    const empty = { name: 'start', path: '' };
    await takeAll(browser, service.url, [empty]);
    await takeAll(browser, service.url, await listPages(service.url, createClient(service.url)));
  } finally {
    await browser.close();
  }
});

interface Shot {
  readonly name: string;
  /** Below /ui/. */
  readonly path: string;
}

async function listPages(url: string, { post, put }: Client): Promise<readonly Shot[]> {
  await fetch(`${url}/v1/sample`, { method: 'POST' });
  const request = {
    questionSet: 'sample',
    configurations: methods.map((method) => `sample-${method}`),
    label: 'Four ways to search',
    intervals: true,
    diagnose: true,
    sliceBy: ['kind', 'process', 'language', 'split'],
  };
  const evaluate = () => post<{ readonly id: string }>('/v1/eval', request, { prefer: 'wait=60' });
  const { id } = await evaluate();
  await put('/v1/baselines/main', { evaluation: id, configuration: 'sample-hybrid' });
  for (let night = 0; night < 3; night += 1) await evaluate();
  return [
    { name: 'home', path: '' },
    { name: 'evaluation', path: `evaluations/${id}` },
    { name: 'questions', path: `evaluations/${id}/questions` },
    { name: 'question', path: `evaluations/${id}/questions/q001` },
    { name: 'judge', path: `judge/sample?evaluation=${id}` },
    {
      name: 'comparison',
      path: `comparisons?evaluation=${id}&baseline=sample-hybrid&candidate=sample-rerank`,
    },
    { name: 'trends', path: 'trends/main' },
    { name: 'funnel', path: `funnel/${id}?configuration=sample-rerank` },
    { name: 'question-set', path: 'question-sets/sample' },
  ];
}

async function takeAll(browser: Browser, url: string, shots: readonly Shot[]): Promise<void> {
  for (const width of widths) {
    for (const colorScheme of schemes) {
      const context = await browser.newContext({
        locale: values.language,
        colorScheme,
        viewport: { width, height: 900 },
      });
      await context.addInitScript(`localStorage.setItem('grounding-eval.judge', 'm.keller')`);
      const page = await context.newPage();
      for (const { name, path } of shots) {
        await page.goto(`${url}/ui/${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        const file = values.all ? `${name}-${width}-${colorScheme}.png` : `${name}.png`;
        await page.screenshot({ path: join(values.to, file), fullPage: !values.all });
        print(file);
      }
      await context.close();
    }
  }
}
