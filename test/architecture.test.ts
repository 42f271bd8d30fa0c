import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

/** From top to bottom. A layer may import itself and the layers below it; layers on one line must not import each other. */
const layers = [
  ['cli'],
  ['server'],
  ['app'],
  ['config'],
  ['http'],
  ['schemas'],
  ['jobs'],
  ['evaluation'],
  ['retrieval', 'storage'],
  ['errors'],
  ['interchange'],
  ['model'],
  ['yield-to-event-loop', 'try-parse-json'],
  ['ir', 'charts'],
];

/** The folders of `evaluation`, by the same rule. */
const useCases = [
  ['monitoring', 'reports', 'running'],
  ['gates', 'analysis', 'pooling'],
  ['planning', 'comparison'],
  ['scoring', 'searching', 'tenants'],
  ['question-sets', 'diagnosis'],
  ['warnings', 'catalog', 'lifecycle', 'measures', 'outcomes', 'statistics'],
  ['computations', 'drafts'],
];

/** Folders that hold more than 20 files, each with its reason. */
const largeFolders: Readonly<Record<string, string>> = {
  'src/model': 'one file a noun',
  'src/schemas': 'one file a resource of the wire format',
  'src/http/routes': 'one file a resource',
  'src/interchange': 'one file a form, and what readers share',
  'src/ir/statistics': 'one file a test, interval or bound',
  'src/retrieval': 'what every backend needs, one file a part',
  'src/retrieval/pipeline': 'one file a stage, and what stages share',
  'packages/testing/src': 'one file a part of the stub',
};

/** Files of more than 200 lines, each with its reason. */
const longFiles: Readonly<Record<string, string>> = {
  'src/config/config.ts': 'what each setting becomes, one function each',
  'src/evaluation/analysis/read-ablation.ts': 'one answer, mostly its types',
  'src/evaluation/planning/dry-run.ts': 'one answer, mostly its types',
  'src/evaluation/question-sets/check-qrels.ts': 'one review of a body, line by line',
  'src/evaluation/question-sets/review-questions.ts': 'one review of a body, line by line',
  'src/evaluation/searching/search-questions.ts': 'the loop of searches with its helpers',
  'src/http/routes/corpora.ts': 'one resource, mostly descriptions of routes',
  'src/http/routes/evaluations.ts': 'one resource, mostly descriptions of routes',
  'src/http/routes/question-sets.ts': 'one resource, mostly descriptions of routes',
  'src/interchange/read-judgments.ts': 'one function a form',
  'src/ir/fast/interned-qrels.ts': 'one data structure',
  'src/ir/statistics/bootstrap.ts': 'one draw shared by all intervals',
  'src/model/gate.ts': 'one noun, mostly its types',
  'src/retrieval/backends/local/local-index.ts': 'one data structure',
  'src/storage/database/tenant-scope.ts': 'one plugin of the query builder',
  'src/storage/migrations/tenant-migration.ts': 'one migration',
};

/** What the testing kit bundles of the service: the local search and the nouns of a search. */
const bundledByKit = [
  'src/errors.ts',
  'src/ir/',
  'src/model/',
  'src/retrieval/backends/local/',
  'src/retrieval/match-filter.ts',
];

/** What only tests in `test/process` may use: it starts processes, or changes what all tests of a worker share. */
const ofProcesses =
  /from 'node:(child_process|cluster)'|\bstartPostgres\(|\bprocess\.(memoryUsage|chdir)\b|\bvi\.(mock|doMock|resetModules|useFakeTimers|stubGlobal)\b/;

const files = readFiles('src/**/*.ts');
const kitFiles = readFiles('packages/testing/src/**/*.ts');
const allFiles = [...files, ...kitFiles];
const testFiles = readFiles('test/**/*.ts');
const importsByFile = new Map(
  [...allFiles, ...testFiles].map(({ path, imports }) => [path, imports]),
);

describe('the layers of src', () => {
  it.each(files)('$path imports downward only', ({ path, imports }) => {
    const wrong = imports.filter((target) => !isBelow(layers, partOf(path, 1), partOf(target, 1)));

    expect(wrong).toEqual([]);
  });

  it.each(files.filter(({ path }) => path.startsWith('src/evaluation/')))(
    '$path imports downward only within evaluation',
    ({ path, imports }) => {
      const wrong = imports
        .filter((target) => target.startsWith('src/evaluation/'))
        .filter((target) => !isBelow(useCases, partOf(path, 2), partOf(target, 2)));

      expect(wrong).toEqual([]);
    },
  );

  it.each(allFiles)('$path is on no circle of imports, types included', ({ path }) => {
    expect(findCircle(path)).toEqual([]);
  });

  it('lets the registry alone import a backend', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith('src/retrieval/backends/'))
        .filter(() => !path.startsWith('src/retrieval/backends/'))
        .filter(() => path !== 'src/retrieval/registry.ts')
        .map((target) => `${path} -> ${target}`),
    );

    expect(wrong).toEqual([]);
  });
});

describe('the backends', () => {
  it.each(globSync('src/retrieval/backends/*'))('%s is entered in the registry', (folder) => {
    expect(importsByFile.get('src/retrieval/registry.ts')).toContain(`${folder}/backend.ts`);
  });

  it.each(files.filter(({ path }) => partOf(path, 1) !== 'retrieval'))(
    '$path asks for traits and not for the name of a backend',
    ({ path }) => {
      expect(readFileSync(path, 'utf8')).not.toMatch(/\bbackend [!=]==? '|\bcase '(local|aicore)'/);
    },
  );
});

describe('the testing kit', () => {
  it.each(kitFiles)('$path imports of the service only what is bundled', ({ imports }) => {
    const allowed = ['packages/testing/src/', ...bundledByKit];
    const wrong = imports.filter((target) => !allowed.some((start) => target.startsWith(start)));

    expect(wrong).toEqual([]);
  });

  // The command that runs the stand-in is the kit for those who do not write TypeScript.
  const others = files.filter(({ path }) => path !== 'src/cli/commands/stub.ts');

  it.each(others)('is not imported by $path', ({ path, imports }) => {
    expect(imports.filter((target) => target.startsWith('packages/'))).toEqual([]);
    expect(readFileSync(path, 'utf8')).not.toMatch(/'grounding-eval(-|\/)testing/);
  });
});

describe('the tests', () => {
  const tests = testFiles.filter(({ path }) => path.endsWith('.test.ts'));

  it.each(tests.filter(({ path }) => !/^test\/(process|browser)\//.test(path)))(
    '$path shares its worker, so it neither starts a process nor changes global state',
    ({ path }) => {
      const wrong = listTestFilesBehind(path).filter((used) =>
        ofProcesses.test(readFileSync(used, 'utf8')),
      );

      expect(wrong, 'move the test to test/process').toEqual([]);
    },
  );

  it.each(tests)('$path lies in a folder that a project runs', ({ path }) => {
    expect(path).toMatch(/^test\/((unit|integration|process|browser)\/.+|[^/]+)\.test\.ts$/);
  });
});

describe('the files of src', () => {
  it.each(files.filter(({ path }) => ['ir', 'charts'].includes(partOf(path, 1))))(
    '$path is pure',
    ({ path }) => {
      const impurities =
        /from '(?!\.|@stdlib\/|pure-rand|d3-)|\bnew Date\b|\bDate\.now|\bMath\.random|\bprocess\.|\bperformance\.|\bcrypto\./;

      expect(readFileSync(path, 'utf8')).not.toMatch(impurities);
    },
  );

  it.each(files.filter(({ path }) => partOf(path, 1) !== 'storage'))(
    '$path asks nothing about all tenants',
    ({ path }) => {
      expect(readFileSync(path, 'utf8')).not.toMatch(/\b(acrossTenants|withoutPlugins)\b/);
    },
  );

  it.each(['utils', 'common', 'helpers', 'manager', 'types'])(
    'has no folder or file %s',
    (name) => {
      const named = allFiles.filter(({ path }) =>
        path.split('/').some((part) => part.replace(/\.ts$/, '') === name),
      );

      expect(named).toEqual([]);
    },
  );

  it('has no folder of more than 20 files without a reason', () => {
    const counts = Map.groupBy(allFiles, ({ path }) => dirname(path));
    const large = [...counts].filter(([, members]) => members.length > 20).map(([name]) => name);

    expect(large.toSorted()).toEqual(Object.keys(largeFolders).toSorted());
  });

  it('has no file of more than 200 lines without a reason', () => {
    const long = allFiles
      .map(({ path }) => path)
      .filter((path) => readFileSync(path, 'utf8').trimEnd().split('\n').length > 200);

    expect(long.toSorted()).toEqual(Object.keys(longFiles).toSorted());
  });
});

function readFiles(pattern: string): { readonly path: string; readonly imports: string[] }[] {
  return globSync(pattern).map((path) => ({ path, imports: importsOf(path) }));
}

function importsOf(path: string): string[] {
  const source = readFileSync(path, 'utf8');
  const relative = [...source.matchAll(/(?:from|import)\s*\(?'(\.[^']+\.ts)'/g)];
  return relative.map(([, specifier = '']) => join(dirname(path), specifier));
}

/** A test and every helper that it imports, directly or not. */
function listTestFilesBehind(path: string): readonly string[] {
  const found = new Set([path]);
  for (const file of found) {
    const helpers = (importsByFile.get(file) ?? []).filter((target) => target.startsWith('test/'));
    for (const helper of helpers) found.add(helper);
  }
  return [...found];
}

function isBelow(order: readonly (readonly string[])[], part: string, target: string): boolean {
  return part === target || rankOf(order, part) < rankOf(order, target);
}

function rankOf(order: readonly (readonly string[])[], part: string): number {
  const rank = order.findIndex((names) => names.includes(part));
  if (rank === -1) throw new Error(`${part} has no place among the layers`);
  return rank;
}

/** The part of a path at a depth, without the ending: `evaluation` of `src/evaluation/gates/decide-gate.ts` at 1. */
function partOf(path: string, depth: number): string {
  return path.split('/')[depth]?.replace(/\.ts$/, '') ?? '';
}

/** The files on the shortest way from a file back to itself; empty without one. */
function findCircle(start: string): readonly string[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const target of importsByFile.get(path) ?? []) {
      if (target === start) return toWay(cameFrom, path);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, path);
      queue.push(target);
    }
  }
  return [];
}

function toWay(cameFrom: ReadonlyMap<string, string>, end: string): readonly string[] {
  const way: string[] = [];
  for (let at: string | undefined = end; at !== undefined; at = cameFrom.get(at)) way.unshift(at);
  return way;
}
