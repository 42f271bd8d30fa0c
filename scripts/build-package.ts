import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import ts from 'typescript-5';

import { writeApiTypes } from '../web/build/write-api-types.ts';

buildTestingKit();
await buildClient();
buildProgram();

/** Users of this package import the testing kit as `grounding-eval/testing`, so its build is packed here too. */
function buildTestingKit(): void {
  execFileSync(process.execPath, ['packages/testing/build.ts'], { stdio: 'inherit' });
  rmSync('dist/testing', { recursive: true, force: true });
  cpSync('packages/testing/dist', 'dist/testing', { recursive: true });
}

async function buildClient(): Promise<void> {
  await writeApiTypes();
  rmSync('dist/client', { recursive: true, force: true });
  const compiler = 'node_modules/typescript/bin/tsc';
  execFileSync(process.execPath, [compiler, '-p', 'packages/client'], { stdio: 'inherit' });
}

/**
 * Service and command line as JavaScript, one file each, because Node.js runs no TypeScript in node_modules. `lib`
 * stands where `src` does, so that paths to other folders of the package stay as they are.
 */
function buildProgram(): void {
  rmSync('lib', { recursive: true, force: true });
  for (const path of globSync('src/**/*.*', { exclude: ['**/*.d.ts'] })) {
    const target = path.replace(/^src/, 'lib').replace(/\.ts$/, '.js');
    mkdirSync(dirname(target), { recursive: true });
    if (path.endsWith('.ts')) writeFileSync(target, compile(path));
    else cpSync(path, target);
  }
}

function compile(path: string): string {
  const { outputText, diagnostics = [] } = ts.transpileModule(readFileSync(path, 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  });
  if (diagnostics.length > 0) {
    const texts = diagnostics.map(({ messageText: text }) =>
      ts.flattenDiagnosticMessageText(text, ' '),
    );
    throw new Error(`${path}: ${texts.join()}`);
  }
  // Files of worker threads are named by URLs, which the compiler does not rewrite.
  return outputText.replaceAll(/(?<=new URL\('[\w-]+)\.ts(?=', import\.meta\.url\))/g, '.js');
}
