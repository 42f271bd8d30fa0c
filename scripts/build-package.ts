import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';

import { writeApiTypes } from '../web/build/write-api-types.ts';

// Users of this package import the testing kit as `grounding-eval/testing`, so its build is packed here too.
execFileSync(process.execPath, ['packages/testing/build.ts'], { stdio: 'inherit' });
rmSync('dist/testing', { recursive: true, force: true });
cpSync('packages/testing/dist', 'dist/testing', { recursive: true });

await writeApiTypes();
rmSync('dist/client', { recursive: true, force: true });
const compiler = 'node_modules/typescript/bin/tsc';
execFileSync(process.execPath, [compiler, '-p', 'packages/client'], { stdio: 'inherit' });
