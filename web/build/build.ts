import { fileURLToPath } from 'node:url';

import { build } from 'vite';

import { writeApiTypes } from './write-api-types.ts';

await writeApiTypes();
await build({
  configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
  logLevel: process.argv.includes('--quiet') ? 'warn' : 'info',
});
