import type { Browser } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';

import { launchBrowser } from '../helpers/browser.ts';
import { expectNoSidewaysScroll, findBarriers, serveApp, visit } from '../helpers/pages.ts';

const browser = await launchBrowser();
afterAll(() => browser?.close());

const piped = {
  name: 'piped',
  backend: 'local',
  corpus: 'sample',
  method: 'bm25',
  pipeline: { rerank: { type: 'lexical' }, candidates: 10 },
};

async function send<Body>(url: string, method: string, body?: unknown): Promise<Body> {
  const answer = await fetch(url, {
    method,
    headers: {
      prefer: 'wait=60',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${url}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}

/** The sample, evaluated twice, with a baseline from the first time. */
async function prepare() {
  const url = await serveApp();
  await send(`${url}/v1/sample`, 'POST');
  const request = {
    questionSet: 'sample',
    configurations: ['sample-bm25', 'sample-hybrid', piped],
    measures: ['nDCG@10', 'RR'],
    intervals: true,
    ablate: true,
    sliceBy: ['kind'],
  };
  const { id } = await send<{ readonly id: string }>(`${url}/v1/eval`, 'POST', request);
  const baseline = { evaluation: id, configuration: 'sample-bm25' };
  await send(`${url}/v1/baselines/main`, 'PUT', baseline);
  await send(`${url}/v1/eval`, 'POST', request);
  return { url, id };
}

const readers = [
  { locale: 'en-US', colorScheme: 'light', width: 1280, tables: 'Show table' },
  { locale: 'de-DE', colorScheme: 'dark', width: 390, tables: 'Als Tabelle' },
] as const;
const toOptions = ({ locale, colorScheme, width }: (typeof readers)[number]) => ({
  locale,
  colorScheme,
  viewport: { width, height: 900 },
});

describe.skipIf(!browser)('the pages of trends and of the funnel', () => {
  it.each(readers)(
    'show what the service found: $locale, $colorScheme, $width px',
    async (reader) => {
      const { url, id } = await prepare();
      const { page, complaints } = await visit(
        browser as Browser,
        `${url}/ui/trends/main?measure=RR`,
        toOptions(reader),
      );

      await page.getByRole('img').first().waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
      await page.getByRole('button', { name: reader.tables }).first().click();
      await expect.poll(() => page.getByRole('table').count()).toBe(2);

      await page.goto(`${url}/ui/funnel/${id}?configuration=piped&measure=nDCG@10`);
      await page.getByRole('img').nth(3).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
      expect(complaints).toEqual([]);
    },
  );

  it('lead from a run to its evaluation and from there to the funnel', async () => {
    const { url } = await prepare();
    const { page } = await visit(browser as Browser, `${url}/ui/`);

    await page.getByRole('link', { name: 'main: Trend' }).click();
    await page.getByRole('heading', { name: 'Trend against main' }).waitFor();
    await page
      .getByRole('group', { name: 'Runs of sample-bm25' })
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('heading', { name: 'Scorecard' }).waitFor();
    await page.getByRole('link', { name: 'What each step brings' }).click();
    await page.getByRole('heading', { name: /^What each step brings/ }).waitFor();
    const losses = page.getByRole('img', { name: /relevant documents are not among the first/ });
    await expect.poll(() => losses.isVisible()).toBe(true);
  });
});

const table =
  'question,document,grade\nwho approves an invoice,D01,2\nwhat is a <script>alert(1)</script>,D02,1\n';

describe.skipIf(!browser)('the page of a question set', () => {
  it('takes a spreadsheet from the start page to the first scorecard in three clicks', async () => {
    const url = await serveApp();
    await send(`${url}/v1/sample`, 'POST');
    const { page, complaints } = await visit(browser as Browser, `${url}/ui/`);
    const file = { name: 'my questions.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };

    await page.getByLabel('Choose a file or drop it here').setInputFiles(file);
    await page.getByText('2 questions afterwards. Judgments: 2 new').waitFor();
    await page.getByRole('button', { name: 'Store' }).click();
    await page.getByRole('button', { name: 'Start evaluation' }).click();
    await page.getByRole('heading', { name: 'Scorecard' }).waitFor({ timeout: 60_000 });

    await page.goto(`${url}/ui/question-sets/my-questions`);
    await page.getByText('what is a <script>alert(1)</script>').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows what a change does before it is stored', async () => {
    const { url } = await prepare();
    const { page } = await visit(browser as Browser, `${url}/ui/question-sets/sample`);

    await page.getByText('Version 1: 152 questions').waitFor();
    await page.getByRole('button', { name: 'Add a question' }).click();
    await page.getByRole('textbox', { name: 'Id' }).fill('q900');
    await page.getByRole('textbox', { name: 'Question', exact: true }).fill('who signs');
    await page.getByRole('button', { name: 'See the change' }).click();
    await page.getByText('153 questions afterwards.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Version 2: 153 questions').waitFor();
    await page.getByRole('button', { name: 'Edit q900' }).click();
    await page.getByRole('textbox', { name: 'Question', exact: true }).fill('who signs the order');
    await page.getByRole('button', { name: 'See the change' }).click();
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('row', { name: /who signs the order/ }).waitFor();
    const { version } = await send<{ readonly version: number }>(
      `${url}/v1/question-sets/sample`,
      'GET',
    );
    expect(version).toBe(3);
  });

  it('names the line of a file that is refused, and exports what it has', async () => {
    const { url } = await prepare();
    const { page } = await visit(browser as Browser, `${url}/ui/question-sets/sample`);
    const buffer = Buffer.from('question,document,grade\nq001,D01,good\n');

    await page
      .getByLabel('Choose a file or drop it here')
      .setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('alert').filter({ hasText: 'Line 2' }).waitFor();

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV qrels' }).click();
    expect((await saved).suggestedFilename()).toBe('sample.qrels.csv');
  });

  it.each(readers)('has no barrier: $locale, $colorScheme, $width px', async (reader) => {
    const { url } = await prepare();
    const { page, complaints } = await visit(
      browser as Browser,
      `${url}/ui/question-sets/sample`,
      toOptions(reader),
    );

    expect(await findBarriers(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    expect(complaints).toEqual([]);
  });
});
