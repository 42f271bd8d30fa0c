import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const unit = ['test/unit/**/*.test.ts', 'test/*.test.ts'];

const testingKit = fileURLToPath(new URL('packages/testing/src/index.ts', import.meta.url));

export default defineConfig({
  // Tests run the source of the testing kit, not its build.
  resolve: { alias: { 'grounding-eval-testing': testingKit } },
  test: {
    setupFiles: ['test/setup.ts'],
    reporters: ['default', './test/helpers/count-reporter.ts'],
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', include: unit, isolate: false } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/helpers/global-setup.ts'],
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'packages/*/src/**/*.ts'],
      exclude: ['src/server.ts'],
      thresholds: { lines: 95, branches: 90, 'src/ir/**': { lines: 100 } },
    },
  },
});
