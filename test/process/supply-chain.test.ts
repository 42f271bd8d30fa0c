import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import packageJson from '../../package.json' with { type: 'json' };
import { checkLicences, type Lock } from '../../scripts/supply-chain/licences.ts';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;

const Bom = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  metadata: z.object({ component: z.object({ name: z.string() }) }),
  components: z.array(
    z.object({ name: z.string(), version: z.string(), purl: z.string().startsWith('pkg:npm/') }),
  ),
});

describe('the licences of production packages', () => {
  it('are all allowed', () => {
    const { counts, refused } = checkLicences(lock);

    expect(refused).toEqual([]);
    expect(counts.length).toBeGreaterThan(3);
  });

  it.each([
    ['a copyleft licence', { license: 'AGPL-3.0-only' }],
    ['a licence that looks like an allowed one', { license: 'MIT-Modern-Variant' }],
    ['no licence', {}],
    ['the licence of another package of SAP', { license: 'SAP DEVELOPER LICENSE AGREEMENT' }],
  ])('are not with %s', (_case, described) => {
    const packages = { '': {}, 'node_modules/made-up': { version: '1.0.0', ...described } };

    expect(checkLicences({ name: 'made-up', packages }).refused).toMatchObject([
      { path: 'node_modules/made-up' },
    ]);
  });

  it('do not count what is for development alone', () => {
    const packages = { 'node_modules/made-up': { license: 'GPL-3.0-only', dev: true } };

    expect(checkLicences({ name: 'made-up', packages })).toEqual({ counts: [], refused: [] });
  });

  it('count a package in a folder of the project once, by its own entry', () => {
    const packages = {
      'node_modules/made-up': { link: true },
      'packages/made-up': { version: '1.0.0', license: 'GPL-3.0-only' },
    };

    expect(checkLicences({ name: 'made-up', packages }).refused).toEqual([
      { path: 'packages/made-up', licence: 'GPL-3.0-only' },
    ]);
  });
});

describe('npm run sbom', () => {
  it('lists every package of production, and none that is for development', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      maxBuffer: 64 * 1024 * 1024,
    });
    const { components, metadata } = Bom.parse(JSON.parse(stdout));
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const locked = Object.entries(lock.packages)
      .filter(([path, { dev = false, link = false }]) => path !== '' && !dev && !link)
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);

    expect(metadata.component.name).toBe(packageJson.name);
    expect([...listed].toSorted()).toEqual([...new Set(locked)].toSorted());
    expect(locked).toEqual(expect.arrayContaining([`zod@${packageJson.dependencies.zod}`]));
  });
});
