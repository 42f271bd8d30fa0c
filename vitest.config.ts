import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const testingKit = fileURLToPath(new URL('packages/testing/src/index.ts', import.meta.url));

/** Each worker of `service` and `process` has connections to one PostgreSQL, which takes 200. */
const maxWorkers = Math.min(Math.max(availableParallelism(), 2), 8);

/** Tests that start several programs each run after the others: two files at a time, which mostly wait. */
const afterOthers = { maxWorkers: 2, sequence: { groupOrder: 1 } };

export default defineConfig({
  // Tests run the source of the testing kit, not its build.
  resolve: { alias: { 'grounding-eval-testing': testingKit } },
  test: {
    setupFiles: ['test/setup.ts'],
    reporters: ['default', './test/helpers/count-reporter.ts'],
    restoreMocks: true,
    unstubEnvs: true,
    // A guard against tests that hang. What a test asserts about time, it measures itself.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers,
    // The folder of a test decides where it runs. test/architecture.test.ts checks that it may run there.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/*.test.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/integration/**/*.test.ts'],
          isolate: false,
          globalSetup: ['test/helpers/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          globalSetup: ['test/helpers/global-setup.ts'],
          ...afterOthers,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/helpers/global-setup.ts', 'test/helpers/pages-setup.ts'],
          testTimeout: 180_000,
          // A page is drawn some time after what it shows has arrived.
          expect: { poll: { timeout: 15_000 } },
          ...afterOthers,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'packages/*/src/**/*.ts'],
      // Programs that tests start: what runs in another process is not counted.
      exclude: ['src/server.ts', 'src/cli/**'],
      thresholds: { lines: 95, branches: 90, 'src/ir/**': { lines: 100 } },
    },
  },
});
