import { existsSync } from 'node:fs';

// npm runs this after an install. A production install has no build tools: the deployment brings dist/web with it.
if (existsSync('node_modules/vite')) {
  process.argv.push('--quiet');
  await import('./build.ts');
} else if (!existsSync('dist/web/index.html')) {
  process.stdout.write('The web pages are not built, because development packages are absent.\n');
}
