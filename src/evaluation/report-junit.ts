import { XMLBuilder } from 'fast-xml-parser';

import type { Database } from '../storage/database.ts';
import { streamAsked, toStatus } from './asked-questions.ts';
import type { EvaluationDescription } from './describe-evaluation.ts';

interface TestCase {
  readonly '@name': string;
  readonly '@classname': string;
  readonly '@time'?: string;
  readonly error?: object;
  readonly failure?: object;
  readonly skipped?: object;
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  format: true,
});

/**
 * An evaluation as a JUnit report for CI: a suite for each configuration, a case for each question. A
 * failed search is an error, a question without answer is skipped, and a gate that did not pass is a
 * failure. Means are properties. Question texts are not in it.
 */
export async function reportAsJunit(
  db: Database,
  description: EvaluationDescription,
): Promise<string> {
  const suites: object[] = [];
  for (const { name, position } of description.configurations) {
    const cases: TestCase[] = [];
    for await (const { question, outcome } of streamAsked(db, description.evaluation, position)) {
      if (!outcome) continue;
      const named = { '@name': question.id, '@classname': name };
      const time = { '@time': (outcome.latencyMs / 1000).toFixed(4) };
      const status = toStatus(question, outcome);
      const error = { '@type': outcome.error?.code ?? '', '@message': outcome.error?.detail ?? '' };
      if (status === 'failed') cases.push({ ...named, ...time, error });
      else if (status === 'unanswerable') {
        cases.push({ ...named, ...time, skipped: { '@message': 'no document answers it' } });
      } else cases.push({ ...named, ...time });
    }
    suites.push(toSuite(name, cases, listProperties(description, name)));
  }
  const gate = listGateCases(description);
  if (gate.length > 0) suites.push(toSuite('gate', gate, []));
  const document = { testsuites: { '@name': 'grounding-eval', testsuite: suites } };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${withoutControls(builder.build(document))}`;
}

function toSuite(name: string, cases: readonly TestCase[], properties: readonly object[]): object {
  const count = (field: 'error' | 'failure' | 'skipped') =>
    cases.filter((testCase) => testCase[field] !== undefined).length;
  return {
    '@name': name,
    '@tests': cases.length,
    '@errors': count('error'),
    '@failures': count('failure'),
    '@skipped': count('skipped'),
    ...(properties.length > 0 && { properties: { property: properties } }),
    testcase: cases,
  };
}

function listProperties({ evaluation }: EvaluationDescription, name: string): readonly object[] {
  const row = evaluation.scorecard?.find(({ configuration }) => configuration === name);
  return Object.entries(row?.measures ?? {}).map(([measure, mean]) => ({
    '@name': measure,
    '@value': String(mean),
  }));
}

function listGateCases({ gate }: EvaluationDescription): readonly TestCase[] {
  return (gate?.configurations ?? []).map(({ configuration, verdict, detail }) => {
    const named = { '@name': configuration, '@classname': 'gate' };
    return verdict === 'pass'
      ? named
      : { ...named, failure: { '@type': verdict, '@message': detail } };
  });
}

/** XML 1.0 has no place for most control characters, not even escaped. */
function withoutControls(xml: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that must not be there.
  return xml.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD');
}
