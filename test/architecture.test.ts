import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

/** From top to bottom. A layer may import itself and what is below it; those on one line not each other. */
const layers = [
  ['server', 'testing'],
  ['app'],
  ['config'],
  ['http'],
  ['schemas'],
  ['jobs'],
  ['evaluation'],
  ['retrieval', 'storage'],
  ['errors'],
  ['ir'],
];

const files = globSync('src/**/*.ts').map((path) => ({ path, layer: layerOf(path) }));
const pureFiles = files.filter(({ layer }) => layer === 'ir');
const testingFiles = files.filter(({ layer }) => layer === 'testing');

describe('the layers of src', () => {
  it.each(files)('$path imports downward only', ({ path, layer }) => {
    const wrong = importsOf(path).filter((target) => !isBelow(layer, layerOf(target)));

    expect(wrong).toEqual([]);
  });

  it.each(pureFiles)('$path is pure', ({ path }) => {
    const impurities =
      /from '(?!\.|@stdlib\/|pure-rand)|\bnew Date\b|\bDate\.now|\bMath\.random|\bprocess\.|\bperformance\.|\bcrypto\./;

    expect(readFileSync(path, 'utf8')).not.toMatch(impurities);
  });

  it.each(testingFiles)('$path, which users install, takes nothing of the service', ({ path }) => {
    const wrong = importsOf(path).filter(
      (target) => !['testing', 'retrieval', 'errors', 'ir'].includes(layerOf(target)),
    );

    expect(wrong).toEqual([]);
  });

  it.each(files.filter(({ layer }) => layer !== 'storage'))(
    '$path asks nothing about all tenants',
    ({ path }) => {
      expect(readFileSync(path, 'utf8')).not.toMatch(/\b(acrossTenants|withoutPlugins)\b/);
    },
  );

  it.each(['utils', 'common', 'helpers', 'manager', 'types'])(
    'has no folder or file %s',
    (name) => {
      const named = files.filter(({ path }) =>
        path.split('/').some((part) => part.replace(/\.ts$/, '') === name),
      );

      expect(named).toEqual([]);
    },
  );
});

function importsOf(path: string): string[] {
  const source = readFileSync(path, 'utf8');
  const relative = [...source.matchAll(/(?:from|import)\s*\(?'(\.[^']+\.ts)'/g)];
  return relative.map(([, specifier = '']) => join(dirname(path), specifier));
}

function isBelow(layer: string, target: string): boolean {
  return layer === target || rankOf(layer) < rankOf(target);
}

function rankOf(layer: string): number {
  const rank = layers.findIndex((names) => names.includes(layer));
  if (rank === -1) throw new Error(`src/${layer} has no place among the layers`);
  return rank;
}

function layerOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}
