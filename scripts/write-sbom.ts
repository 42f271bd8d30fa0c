import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { runForReader } from './demo/print.ts';
import type { Lock } from './supply-chain/licences.ts';
import { type Bom, keepProduction } from './supply-chain/production-bom.ts';

const options = [
  // npm warns of a setting in .npmrc that only npm 10 needs.
  '--loglevel=error',
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--package-lock-only',
];
const written = execFileSync('npm', options, { maxBuffer: 256 * 1024 * 1024, encoding: 'utf8' });
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
const bom = keepProduction(JSON.parse(written) as Bom, lock);
await runForReader(() => {
  process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
});
