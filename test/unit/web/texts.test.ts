import { globSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { de } from '../../../web/src/texts/de.ts';
import { en } from '../../../web/src/texts/en.ts';

const keys = Object.keys(en) as (keyof typeof en)[];
const code = globSync('web/src/{pages,parts,shell,texts}/*.ts')
  .filter((path) => !/texts\/(en|de)\.ts$/.test(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

describe('the catalogue of texts', () => {
  it('has the same keys in English and German', () => {
    expect(Object.keys(de).toSorted()).toEqual(keys.toSorted());
  });

  it.each(keys)('%s is a text with the same parameters in both languages, and is used', (key) => {
    expect(de[key].trim()).not.toBe('');
    expect(findParameters(de[key])).toEqual(findParameters(en[key]));
    expect(code).toContain(`'${key}'`);
  });
});

function findParameters(text: string): readonly string[] {
  return Array.from(text.matchAll(/\{(\w+)\}/g), ([, name = '']) => name).toSorted();
}
