import { defineConfig } from 'vite';

import { compressFiles } from './build/compress-files.ts';

const service = process.env['GROUNDING_EVAL_URL'] ?? 'http://localhost:8080';

// What the strict Content-Security-Policy forbids is switched off: inlined assets and the preload script.
export default defineConfig({
  root: import.meta.dirname,
  base: '/ui/',
  build: {
    target: 'es2023',
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  plugins: [compressFiles()],
  server: { proxy: { '/v1': service, '/openapi.json': service, '/docs': service } },
});
