import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { describe, expect, it, onTestFinished } from 'vitest';

import { startServer } from '../helpers/server-process.ts';

/** The shell commands of a section, as one script, and the output that the page shows for them. */
function readSection(page: string, heading: string) {
  const sections = readFileSync(page, 'utf8').split(/^## /m);
  const section = sections.find((each) => each.startsWith(heading)) ?? '';
  const blocks = [...section.matchAll(/```sh\n([^]*?)```(?:\n\n```\n([^]*?)```)?/g)];
  return {
    script: blocks.map(([, script = '']) => script).join(''),
    shown: blocks.flatMap(([, , output]) => output ?? []).join(''),
  };
}

/** Runs a script against a service that has the sample, stops at the first failure and refused request. */
async function runScript(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(resolve('sample'), join(folder, 'sample'));
  const { url } = await startServer({ DATABASE_URL: `sqlite:${join(folder, 'data.db')}` });
  const local = script.replaceAll('http://localhost:8080', url).replaceAll('curl -s', 'curl -sSf');
  return spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', local], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
}

const lacksTools = ['curl', 'jq'].some((tool) => spawnSync(tool, ['--version']).error);

describe.skipIf(lacksTools)(
  'the commands of the documentation (with curl and jq)',
  { timeout: 120_000 },
  () => {
    it('lead from a corpus of one’s own to a scorecard', async () => {
      const { script, shown } = readSection('docs/guide.md', 'Your own corpus');
      const { status, stdout, stderr } = await runScript(script);

      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toBe(`${shown}1\n`);
    });

    it('evaluate, compare and pool the sample', async () => {
      const { script } = readSection('README.md', 'Run a first evaluation with curl');
      const { status, stdout, stderr } = await runScript(script);

      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain('"configuration": "rerank"');
      expect(stdout).toContain('rerank and hybrid cannot be told apart on nDCG@10');
      expect(stdout).toContain('# Evaluation');
    });
  },
);
