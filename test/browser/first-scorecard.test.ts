import type { Browser } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';

import { launchBrowser } from '../helpers/browser.ts';
import { expectNoSidewaysScroll, findBarriers, serveApp, visit } from '../helpers/pages.ts';

const browser = await launchBrowser();
afterAll(() => browser?.close());

describe.skipIf(!browser)('the way to the first scorecard', () => {
  it('takes three clicks from an empty store, by role and name', async () => {
    const url = await serveApp();
    const { page, complaints } = await visit(browser as Browser, `${url}/`);

    await page.getByRole('button', { name: 'Load the sample' }).click();
    await page.getByRole('button', { name: 'Start evaluation' }).click();
    await page.getByRole('heading', { name: 'Scorecard' }).waitFor({ timeout: 60_000 });

    // The figures of the README.
    const row = page.getByRole('row', { name: /sample-rerank/ });
    await expect.poll(() => row.innerText()).toMatch(/0\.765\s/);
    const chart = page.getByRole('img', { name: 'sample-rerank has the highest mean nDCG@10' });
    await expect.poll(() => chart.isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it.each([
    {
      locale: 'en-US',
      colorScheme: 'light',
      width: 1280,
      start: 'Start evaluation',
      title: 'Scorecard',
    },
    {
      locale: 'de-DE',
      colorScheme: 'dark',
      width: 390,
      start: 'Auswertung starten',
      title: 'Ergebnis',
    },
  ] as const)(
    'has no barrier and no sideways scroll: $locale, $colorScheme, $width px',
    async (reader) => {
      const url = await serveApp();
      await fetch(`${url}/v1/sample`, { method: 'POST' });
      const { locale, colorScheme, width } = reader;
      const viewport = { width, height: 900 };
      const { page, complaints } = await visit(browser as Browser, `${url}/ui/`, {
        locale,
        colorScheme,
        viewport,
      });
      expect(await findBarriers(page)).toEqual([]);
      await expectNoSidewaysScroll(page);

      await page
        .getByRole('main')
        .getByRole('button', { name: /^(Evaluate|Auswerten)$/ })
        .first()
        .click();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: reader.start }).click();
      await page.getByRole('heading', { name: reader.title }).waitFor({ timeout: 60_000 });

      expect(await findBarriers(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
      expect(complaints).toEqual([]);
    },
  );

  it('shows a chart as a table, and sorts the scorecard, in the address', async () => {
    const url = await serveApp();
    await fetch(`${url}/v1/sample`, { method: 'POST' });
    const configurations = ['sample-bm25', 'sample-vector'];
    const started = await fetch(`${url}/v1/eval`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'wait=60' },
      body: JSON.stringify({
        questionSet: 'sample',
        configurations,
        intervals: true,
        sliceBy: ['split'],
      }),
    });
    const { id } = (await started.json()) as { id: string };
    const { page } = await visit(browser as Browser, `${url}/ui/evaluations/${id}`);

    await page.getByRole('button', { name: 'Show table' }).click();
    const table = page.getByRole('group', { name: 'sample-bm25 has the highest mean nDCG@10' });
    await expect
      .poll(() => table.getByRole('row', { name: /sample-bm25/ }).innerText())
      .toContain('0.707');

    const head = page.getByRole('columnheader', { name: 'nDCG@10' }).last();
    // The page is drawn anew after each click.
    await head.getByRole('button').click();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
    await head.getByRole('button').click();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    expect(new URL(page.url()).searchParams.get('sort')).toBe('nDCG@10');
    await page.reload();
    const first = page.getByRole('group', { name: 'Scorecard' }).getByRole('row').nth(1);
    await expect.poll(() => first.innerText()).toContain('sample-vector');
  });
});
