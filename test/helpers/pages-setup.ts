import { execFileSync } from 'node:child_process';

/** Builds the web pages, so that the tests of pages see them as they are now. */
export default function setup(): void {
  execFileSync(process.execPath, ['web/build/build.ts', '--quiet'], { stdio: 'inherit' });
}
