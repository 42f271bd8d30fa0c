import { spawnSync } from 'node:child_process';

/** Runs the chaos tests on 10,000 questions and those of repeated deaths. They take too long for every run of the tests. */
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/process/chaos.test.ts',
    'test/process/repeated-deaths.test.ts',
  ],
  { env: { ...process.env, SOAK: '1' }, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
