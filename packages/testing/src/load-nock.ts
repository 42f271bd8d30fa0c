import { createRequire } from 'node:module';

import type nock from 'nock';

/**
 * Loads nock on first use, because the stub does not need it. Throws an error that says whether nock is
 * missing or cannot be loaded.
 */
export function loadNock(): typeof nock {
  const requireModule = createRequire(import.meta.url);
  try {
    requireModule.resolve('nock');
  } catch (cause) {
    throw new Error('mockAiCore needs nock: npm install --save-dev nock', { cause });
  }
  try {
    return (requireModule('nock') as { default: typeof nock }).default;
  } catch (cause) {
    throw new Error(
      'mockAiCore cannot load nock, which is installed: require() of an ES module needs Node.js 20.19 or 22.12, and under Jest Node.js 24.9 with --experimental-vm-modules',
      { cause },
    );
  }
}
