import type { Browser } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';

import { launchBrowser } from '../helpers/browser.ts';
import { expectNoSidewaysScroll, findBarriers, serveApp, visit } from '../helpers/pages.ts';

const browser = await launchBrowser();
afterAll(() => browser?.close());

describe.skipIf(!browser)('a judge', () => {
  it('gives 50 verdicts by keyboard while the connection breaks: 50 are stored once, in one version', async () => {
    const url = await serveApp();
    const id = await evaluateSample(url);
    const { page, context } = await visit(
      browser as Browser,
      `${url}/ui/judge/sample?evaluation=${id}`,
    );
    await page.getByRole('textbox', { name: 'Name' }).fill('kim');
    await page.getByRole('button', { name: 'Start' }).click();

    await giveVerdicts(page, { from: 0, to: 20 });
    await context.setOffline(true);
    await giveVerdicts(page, { from: 20, to: 35 });
    await page.getByText(/No connection\. \d+ verdicts wait/).waitFor();
    await context.setOffline(false);
    await giveVerdicts(page, { from: 35, to: 51 });
    await page.keyboard.press('z');
    await page.getByText(/^50 of [\d,]+ judged$/).waitFor();
    await page.getByRole('button', { name: 'Finish and save' }).click();
    await page.getByRole('heading', { name: 'Saved as version 2' }).waitFor();

    await expect.poll(() => page.getByText('50 new verdicts, 0 changed').isVisible()).toBe(true);
    expect(await readJudged(url, 'kim')).toHaveLength(50);
    expect(await readVersions(url)).toEqual([2, 1]);

    await page.getByRole('button', { name: 'Score on new labels' }).click();
    await page.getByRole('heading', { name: 'Scorecard' }).waitFor({ timeout: 60_000 });
    await expect
      .poll(() => page.getByText('sample, version 2', { exact: false }).first().isVisible())
      .toBe(true);
  });

  it('loses nothing by a reload, sees no system, and meets no barrier', async () => {
    const url = await serveApp();
    const id = await evaluateSample(url);
    const address = `${url}/ui/judge/sample?evaluation=${id}`;
    const { page, complaints } = await visit(browser as Browser, address, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.getByRole('textbox', { name: 'Name' }).fill('jo');
    await page.getByRole('button', { name: 'Start' }).click();
    await giveVerdicts(page, { from: 0, to: 2 });

    expect(await page.locator('main').innerText()).not.toMatch(/bm25|hybrid|rerank|vector/);
    expect(await findBarriers(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    await page.reload();
    await giveVerdicts(page, { from: 0, to: 1 });
    await page.getByRole('button', { name: 'Finish and save' }).click();
    await page.getByRole('heading', { name: 'Saved as version 2' }).waitFor();

    expect(new Set(await readJudged(url, 'jo')).size).toBeGreaterThanOrEqual(2);
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(!browser)('the way to a lost question', () => {
  it('leads from the scorecard to the worst questions, and to rankings side by side', async () => {
    const url = await serveApp();
    const id = await evaluateSample(url);
    const { page, complaints } = await visit(browser as Browser, `${url}/ui/evaluations/${id}`);

    await page.getByRole('link', { name: 'Question by question' }).click();
    await page.getByText('152 questions').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Search' }).fill('q0');
    await page.waitForURL(/q=q0/);
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { level: 2, name: 'sample-vector' }).waitFor();

    expect(
      await page.getByRole('region', { name: 'sample-bm25' }).getByRole('listitem').count(),
    ).toBeGreaterThan(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('j');
    await page.waitForURL((address) => address.pathname.split('/').length === 6);
    expect(complaints).toEqual([]);
  });

  it('shows a document that looks like markup as text', async () => {
    const url = await serveApp();
    const text = '<script>alert(1)</script><img src=x onerror=alert(2)> pump';
    const documents = [{ id: 'D1', title: text, paragraphs: [text] }];
    const questions = [{ id: 'q1', text: 'pump <b>bold</b>', relevant: { D9: 1 } }];
    await put(`${url}/v1/corpora/c`, { documents });
    await put(`${url}/v1/question-sets/s`, { questions });
    const configurations = [{ name: 'x', backend: 'local', corpus: 'c', method: 'bm25' }];
    const id = await evaluate(url, { questionSet: 's', configurations });
    const address = `${url}/ui/evaluations/${id}/questions/q1`;
    const { page, complaints } = await visit(browser as Browser, address);

    await page.getByText('alert(1)').first().waitFor();
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).innerText())
      .toBe('pump <b>bold</b>');
    expect(complaints).toEqual([]);
  });
});

async function giveVerdicts(
  page: Awaited<ReturnType<typeof visit>>['page'],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (let done = from; done < to; done += 1) {
    await page.getByText(new RegExp(`^${done} of [\\d,]+ judged$`)).waitFor();
    await page.keyboard.press(String(done % 3));
  }
  await page.getByText(new RegExp(`^${to} of [\\d,]+ judged$`)).waitFor();
}

async function evaluateSample(url: string): Promise<string> {
  await fetch(`${url}/v1/sample`, { method: 'POST' });
  const methods = ['bm25', 'vector', 'hybrid', 'rerank'];
  const configurations = methods.map((method) => `sample-${method}`);
  return evaluate(url, {
    questionSet: 'sample',
    configurations,
    intervals: true,
    sliceBy: ['kind'],
  });
}

async function evaluate(url: string, body: object): Promise<string> {
  const answer = await fetch(`${url}/v1/eval`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'wait=60' },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { id: string }).id;
}

async function put(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}

async function readJudged(url: string, judge: string): Promise<readonly string[]> {
  const answer = await fetch(`${url}/v1/question-sets/sample/judgments?limit=1000`);
  const { items } = (await answer.json()) as {
    items: { judge: string | null; questionId: string; documentId: string }[];
  };
  return items
    .filter((judgment) => judgment.judge === judge)
    .map(({ questionId, documentId }) => `${questionId} ${documentId}`);
}

async function readVersions(url: string): Promise<readonly number[]> {
  const answer = await fetch(`${url}/v1/question-sets/sample/versions`);
  return ((await answer.json()) as { items: { version: number }[] }).items.map(
    ({ version }) => version,
  );
}
