import { fileURLToPath } from 'node:url';

import { build } from 'vite';

import { writeApiTypes } from './write-api-types.ts';

// Vite takes the mode from the environment, and tests set it to theirs.
process.env['NODE_ENV'] = 'production';
await writeApiTypes();
await build({
  configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
  logLevel: process.argv.includes('--quiet') ? 'warn' : 'info',
});
