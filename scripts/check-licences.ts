import { readFileSync } from 'node:fs';

import { runForReader } from './demo/print.ts';
import { checkLicences, type Lock } from './supply-chain/licences.ts';

await runForReader(() => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const { counts, refused } = checkLicences(lock);
  for (const [licence, packages] of counts) process.stdout.write(`${packages}\t${licence}\n`);
  for (const { path, licence } of refused) {
    process.stderr.write(`not allowed: ${path} (${licence})\n`);
  }
  if (refused.length > 0) process.exitCode = 1;
});
