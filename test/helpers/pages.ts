import type { AddressInfo } from 'node:net';

import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

import { startService, type TestServiceOptions } from './app.ts';

/** Starts the service on a port, with its pages, and says where. It stops when the test ends. */
export async function serveApp(options: TestServiceOptions = {}): Promise<string> {
  const { app, close } = await startService(options);
  onTestFinished(close);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Whatever the browser complained about: violations of the policy, errors, requests to elsewhere. */
  readonly complaints: readonly string[];
}

/** Opens a page as a reader with a browser of their own does. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => {
    const isOwn =
      request.url().startsWith(new URL(url).origin) || request.url().startsWith('data:');
    if (!isOwn) complaints.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, context, complaints };
}

/** What a checker of accessibility finds on a page as it is shown now. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')} ${nodes[0]?.html}`,
  );
}

/** No page scrolls sideways as a whole. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate<readonly [number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(content).toBeLessThanOrEqual(window);
}
