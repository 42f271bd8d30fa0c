import { existsSync, globSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import packageJson from '../package.json' with { type: 'json' };
import { parseDockerfile, readExecForm } from '../scripts/smoke/dockerfile.ts';
import { scopes } from '../src/model/scope.ts';
import { readShape } from './helpers/published-shapes.ts';

const Megabytes = z.string().regex(/^\d+M$/);
const Path = z.string().startsWith('/');

/** What Cloud Foundry reads of an application, as far as this one says it. */
const Application = z.strictObject({
  name: z.string(),
  buildpacks: z.tuple([z.literal('nodejs_buildpack')]),
  command: z.string(),
  memory: Megabytes,
  disk_quota: Megabytes,
  instances: z.int().min(1),
  'health-check-type': z.literal('http'),
  'health-check-http-endpoint': Path,
  'readiness-health-check-type': z.literal('http'),
  'readiness-health-check-http-endpoint': Path,
  env: z.record(z.string(), z.string()),
  services: z.array(z.string()),
});
const Manifest = z.strictObject({ applications: z.tuple([Application]) });

const Module = z.strictObject({
  name: z.string(),
  type: z.literal('nodejs'),
  path: z.literal('.'),
  'build-parameters': z.strictObject({
    builder: z.literal('custom'),
    commands: z.array(z.string()),
    ignore: z.array(z.string()),
  }),
  parameters: z.strictObject({
    buildpack: z.literal('nodejs_buildpack'),
    command: z.string(),
    memory: Megabytes,
    'disk-quota': Megabytes,
    instances: z.int().min(1),
    'health-check-type': z.literal('http'),
    'health-check-http-endpoint': Path,
    'readiness-health-check-type': z.literal('http'),
    'readiness-health-check-http-endpoint': Path,
  }),
  properties: z.record(z.string(), z.string()),
  requires: z.array(z.strictObject({ name: z.string() })),
  provides: z.array(
    z.strictObject({ name: z.string(), properties: z.record(z.string(), z.string()) }),
  ),
});

const ManagedService = z.strictObject({
  name: z.string(),
  type: z.literal('org.cloudfoundry.managed-service'),
  optional: z.boolean().optional(),
  'processed-after': z.array(z.string()).optional(),
  parameters: z.strictObject({
    service: z.string(),
    'service-plan': z.string(),
    path: z.string().optional(),
    config: z.record(z.string(), z.unknown()).optional(),
  }),
});
const ExistingService = z.strictObject({
  name: z.string(),
  type: z.literal('org.cloudfoundry.existing-service'),
});
const Mta = z.strictObject({
  '_schema-version': z.literal('3.3'),
  ID: z.string(),
  version: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  modules: z.tuple([Module]),
  resources: z.array(z.discriminatedUnion('type', [ManagedService, ExistingService])),
});

const scopeName = z.string().regex(/^\$XSAPPNAME\.\w+$/);
const Security = z.strictObject({
  xsappname: z.string(),
  'tenant-mode': z.enum(['dedicated', 'shared']),
  description: z.string(),
  scopes: z.array(
    z.strictObject({
      name: scopeName,
      description: z.string().max(128),
      'grant-as-authority-to-apps': z.array(z.string()).optional(),
    }),
  ),
  authorities: z.array(scopeName),
  'role-templates': z.array(
    z.strictObject({
      name: z.string().regex(/^\w+$/),
      description: z.string().max(128),
      'scope-references': z.array(scopeName),
    }),
  ),
  'role-collections': z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      'role-template-references': z.array(z.string()),
    }),
  ),
});

const start = packageJson.scripts.start;
const mta = Mta.parse(parse(readFileSync('mta.yaml', 'utf8')));
const [module] = mta.modules;
const [application] = Manifest.parse(parse(readFileSync('manifest.yml', 'utf8'))).applications;
const security = Security.parse(JSON.parse(readFileSync('xs-security.json', 'utf8')));
const stages = parseDockerfile(readFileSync('Dockerfile', 'utf8'));
const image = stages.at(-1)!;
const openapi = JSON.parse(readFileSync('openapi/openapi.json', 'utf8')) as { paths: object };

describe('mta.yaml and manifest.yml', () => {
  it.each([
    ['mta.yaml', module.parameters],
    ['manifest.yml', application],
  ])('%s starts what npm start does, and is watched at paths that exist', (_file, parameters) => {
    expect(parameters.command).toBe(start);
    expect(openapi.paths).toHaveProperty([parameters['health-check-http-endpoint']]);
    expect(openapi.paths).toHaveProperty([parameters['readiness-health-check-http-endpoint']]);
  });

  it('carry the version of the package', () => {
    expect(mta.version).toBe(packageJson.version);
  });

  it('say the same of memory, disk, environment and services', () => {
    const { memory, 'disk-quota': disk, instances } = module.parameters;

    expect(application).toMatchObject({ memory, disk_quota: disk, instances });
    expect(application.env).toEqual(module.properties);
    expect(application.services).toEqual(module.requires.map(({ name }) => name));
  });

  it('bind every service that is made, and no other', () => {
    const resources = mta.resources.map(({ name }) => name);

    expect(module.requires.map(({ name }) => name).toSorted()).toEqual(resources.toSorted());
  });

  it('make services of the kinds that bindings come from', () => {
    const labels = Object.keys(readShape<object>('vcap-services'));
    const made = mta.resources.flatMap((resource) =>
      'parameters' in resource ? resource.parameters.service : 'aicore',
    );

    expect(labels).toEqual(expect.arrayContaining(made));
    expect(made).toEqual(
      expect.arrayContaining(['aicore', 'xsuaa', 'postgresql-db', 'destination', 'jobscheduler']),
    );
  });

  it('leave to the buildpack what it needs to install and start', () => {
    const ignored = [
      ...module['build-parameters'].ignore,
      ...readFileSync('.cfignore', 'utf8').split('\n'),
    ];

    const needed = new Set([
      'src/',
      'sample/',
      'package.json',
      'package-lock.json',
      'dist/',
      'dist/web/',
      'web/',
      'web/build/',
    ]);

    expect(ignored).toContain('node_modules/');
    expect(ignored).toContain('.env');
    expect(ignored.filter((path) => needed.has(path))).toEqual([]);
  });

  it.each([
    ['mta.yaml', module['build-parameters'].ignore],
    ['.cfignore', readFileSync('.cfignore', 'utf8').split('\n')],
  ])('%s leaves out the testing kit', (_file, ignored) => {
    expect(ignored).toContain('packages/');
  });
});

describe('the web pages', () => {
  it('are built by what builds for Cloud Foundry, and by every install with development packages', () => {
    expect(module['build-parameters'].commands).toEqual(['npm ci']);
    expect(packageJson.scripts.prepare).toContain('web/build/prepare.ts');
  });

  it('are in the image, without what built them', () => {
    const copies = image.instructions.filter(({ name }) => name === 'COPY').map(({ text }) => text);

    expect(copies).toContain('--from=pages /app/dist/web ./dist/web');
    expect(copies.filter((text) => !text.startsWith('--from')).join(' ')).not.toMatch(/\bweb\b/);
  });
});

describe('xs-security.json', () => {
  it('has the scopes that the service asks for', () => {
    const names = security.scopes.map(({ name }) => name.replace('$XSAPPNAME.', ''));

    expect(names.toSorted()).toEqual([...scopes].toSorted());
  });

  it('lets the bound Job Scheduling Service start evaluations, and users not', () => {
    const scheduler = security.scopes.find(({ name }) => name.endsWith('.JOBSCHEDULER'));
    const jobs = mta.resources.find(
      (resource) => 'parameters' in resource && resource.parameters.service === 'jobscheduler',
    );
    const ofUsers = security['role-templates'].flatMap((role) => role['scope-references']);

    expect(scheduler?.['grant-as-authority-to-apps']).toEqual([`$XSSERVICENAME(${jobs?.name})`]);
    expect(ofUsers).not.toContain('$XSAPPNAME.JOBSCHEDULER');
  });

  it('refers to nothing that is not there, and gives each scope of users to somebody', () => {
    const names = security.scopes.map(({ name }) => name);
    const ofUsers = names.filter((name) => !name.endsWith('.JOBSCHEDULER'));
    const given = security['role-templates'].flatMap((role) => role['scope-references']);
    const templates = security['role-templates'].map(({ name }) => `$XSAPPNAME.${name}`);
    const collected = security['role-collections'].flatMap(
      (collection) => collection['role-template-references'],
    );

    expect([...new Set(given)].toSorted()).toEqual(ofUsers.toSorted());
    expect(collected.toSorted()).toEqual(templates.toSorted());
    expect(names).toEqual(expect.arrayContaining(security.authorities));
  });

  it('gives clients without a user nothing that administers', () => {
    expect(security.authorities).not.toContain('$XSAPPNAME.Admin');
    expect(security.authorities).not.toContain('$XSAPPNAME.JOBSCHEDULER');
  });
});

describe('Dockerfile', () => {
  it('runs on the very Node.js that the tests run on, without what a shell brings', () => {
    const { node } = packageJson.devDependencies;

    expect(process.versions.node).toBe(node);
    expect(stages.map(({ base }) => base)).toEqual(stages.map(() => `node:${node}-bookworm-slim`));
  });

  it('starts what npm start does, as the process that gets the signals', () => {
    expect(readExecForm(find('CMD')).join(' ')).toBe(start);
    expect(image.instructions.some(({ name }) => name === 'ENTRYPOINT')).toBe(false);
  });

  it('runs as a user who is not root, and who may write to the data alone', () => {
    const names = image.instructions.map(({ name }) => name);

    expect(find('USER')).toBe('node');
    expect(names.indexOf('USER')).toBeGreaterThan(names.lastIndexOf('RUN'));
    expect(find('VOLUME')).toBe('/data');
    expect(find('ENV')).toContain('DATABASE_URL=sqlite:/data/');
  });

  it('asks whether it lives where the service answers', () => {
    expect(find('HEALTHCHECK')).toContain('/health/live');
  });

  it('installs by the lock, without what is for development and without scripts', () => {
    const install = stages[0]!.instructions.find(({ name }) => name === 'RUN');

    expect(install?.text).toMatch(/^npm ci .*--omit=dev.*--ignore-scripts/);
  });

  it('copies nothing that is not there, or that .dockerignore leaves out', () => {
    const sources = stages.flatMap(({ instructions }) =>
      instructions
        .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from'))
        .flatMap(({ text }) => text.split(' ').slice(0, -1)),
    );
    const allowed = readFileSync('.dockerignore', 'utf8').matchAll(/^!(.*)$/gm);

    expect(sources.filter((path) => !existsSync(path))).toEqual([]);
    expect(Array.from(allowed, ([, path = '']) => path).toSorted()).toEqual(
      [...new Set(sources)].toSorted(),
    );
  });
});

describe('a production install', () => {
  it('has every package that the service imports, but for those that users bring', () => {
    const files = globSync('src/**/*.ts');
    const imports = files.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/(?:from|import) \(?'([@\w][\w@./:-]*)'/g)].map(
        ([, specifier = '']) => specifier,
      ),
    );
    const packages = imports
      .filter((specifier) => !specifier.startsWith('node:'))
      // Its own testing kit, which its package contains.
      .filter((specifier) => !specifier.startsWith(`${packageJson.name}/`))
      .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0]);

    expect(packages.length).toBeGreaterThan(100);
    const installed = [packageJson.dependencies, packageJson.peerDependencies].flatMap(Object.keys);
    expect(installed).toEqual(expect.arrayContaining([...new Set(packages)]));
  });
});

function find(instruction: string): string {
  return image.instructions.findLast(({ name }) => name === instruction)?.text ?? '';
}
