import { existsSync } from 'node:fs';

import chromium from '@sparticuz/chromium';
import { chromium as driver, type Browser, type LaunchOptions } from 'playwright-core';

/**
 * Starts a real browser without a window: the Chromium that npm brought on Linux x64, elsewhere an installed Chrome or
 * Edge. Where there is none, says so and returns nothing, so that the tests are skipped; under CI that is an error.
 */
export async function launchBrowser(): Promise<Browser | undefined> {
  const faults: string[] = [];
  for (const options of await listBrowsers()) {
    try {
      return await driver.launch({ ...options, args: [...(options.args ?? []), '--disable-gpu'] });
    } catch (error) {
      faults.push(String(error).split('\n')[0] ?? '');
    }
  }
  const reason = `No browser starts: ${faults.join('; ')}`;
  if (process.env['CI'] !== undefined) throw new Error(reason);
  process.stderr.write(`Browser tests are skipped. ${reason}\n`);
  return undefined;
}

async function listBrowsers(): Promise<readonly LaunchOptions[]> {
  const installed = [{ channel: 'chrome' }, { channel: 'msedge' }];
  const debian = '/usr/bin/chromium';
  const own = existsSync(debian) ? [{ executablePath: debian, args: ['--no-sandbox'] }] : [];
  if (process.platform !== 'linux' || process.arch !== 'x64') return [...own, ...installed];
  const path = await chromium.executablePath();
  return [
    { executablePath: path, args: ['--no-sandbox', '--disable-dev-shm-usage'] },
    ...own,
    ...installed,
  ];
}
