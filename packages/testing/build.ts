import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { rolldown } from 'rolldown';

const folder = import.meta.dirname;
const output = join(folder, 'dist');
const relativeImport = /\b(from |import\()(['"])(\.[^'"]+)\.ts\2/g;

rmSync(output, { recursive: true, force: true });
mkdirSync(output);
await buildCode();
buildTypes();

/** One file a module format. The parts of the service that the kit uses are bundled into it. */
async function buildCode(): Promise<void> {
  const bundle = await rolldown({
    input: join(folder, 'src/index.ts'),
    platform: 'node',
    external: ['zod', 'nock', /^node:/],
  });
  await bundle.write({ file: join(output, 'index.js'), format: 'esm' });
  await bundle.write({ file: join(output, 'index.cjs'), format: 'cjs' });
  await bundle.close();
}

/**
 * The declarations that the entry refers to, side by side. Each is written twice, because TypeScript takes
 * the module format of a declaration from its extension.
 */
function buildTypes(): void {
  const emitted = mkdtempSync(join(tmpdir(), 'grounding-eval-testing-'));
  try {
    const compiler = join(folder, '../../node_modules/typescript/bin/tsc');
    const options = ['--project', join(folder, 'tsconfig.json'), '--outDir', emitted];
    execFileSync(process.execPath, [compiler, ...options], { stdio: 'inherit' });
    const paths = listDeclarations(join(emitted, 'packages/testing/src/index.d.ts'));
    for (const path of paths) {
      const name = basename(path, '.d.ts');
      const text = readFileSync(path, 'utf8');
      writeFileSync(join(output, `${name}.d.ts`), flatten(text, 'js'));
      writeFileSync(join(output, `${name}.d.cts`), flatten(text, 'cjs'));
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

/** Paths of a declaration and of all that it refers to. Fails if two have the same name. */
function listDeclarations(entry: string): ReadonlySet<string> {
  const paths = new Set([entry]);
  for (const path of paths) {
    const text = readFileSync(path, 'utf8');
    for (const [, , , target = ''] of text.matchAll(relativeImport)) {
      paths.add(join(dirname(path), `${target}.d.ts`));
    }
  }
  const names = new Set(Array.from(paths, (path) => basename(path)));
  if (names.size < paths.size) throw new Error('Two declarations have the same file name');
  return paths;
}

function flatten(text: string, extension: 'js' | 'cjs'): string {
  return text.replaceAll(
    relativeImport,
    (_found, before: string, quote: string, target: string) => {
      return `${before}${quote}./${basename(target)}.${extension}${quote}`;
    },
  );
}
