import { XMLBuilder } from 'fast-xml-parser';

import type { Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import { inTurn } from '../computations/current-request.ts';
import { streamOutcomes, toStatus } from '../outcomes/stream-outcomes.ts';
import type { EvaluationDescription } from '../lifecycle/describe-evaluation.ts';
import type { Outcome } from '../../model/outcome.ts';

interface TestCase {
  readonly '@name': string;
  readonly '@classname': string;
  readonly '@time'?: string;
  readonly error?: object;
  readonly failure?: object;
  readonly skipped?: object;
  readonly 'system-out'?: string;
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  format: true,
});

/**
 * An evaluation as a JUnit report for CI, part by part: a suite for each configuration, a case for each question. A
 * failed search is an error, a question without answer or without judgment is skipped, and a gate that did not pass is a
 * failure; one that passed says why as its output. Means are properties. Question texts are not in it.
 */
export async function* reportAsJunit(
  db: Database,
  description: EvaluationDescription,
): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="grounding-eval">\n';
  for (const { name, position } of description.configurations) {
    const cases = createCases();
    await inTurn(async () => {
      for await (const asked of streamOutcomes(db, description.evaluation, position)) {
        if (asked.outcome) cases.add(toCase(name, asked.question, asked.outcome));
      }
    }, description.evaluation.total);
    yield* cases.toSuite(name, listProperties(description, name));
  }
  const gate = createCases();
  for (const verdict of listGateCases(description)) gate.add(verdict);
  if (gate.count() > 0) yield* gate.toSuite('gate', []);
  yield '</testsuites>\n';
}

function toCase(configuration: string, question: Question, outcome: Outcome): TestCase {
  const status = toStatus(question, outcome);
  const testCase = {
    '@name': question.id,
    '@classname': configuration,
    '@time': (outcome.latencyMs / 1000).toFixed(4),
  };
  if (status === 'failed') {
    const error = { '@type': outcome.error?.code ?? '', '@message': outcome.error?.detail ?? '' };
    return { ...testCase, error };
  }
  if (status !== 'unanswerable' && status !== 'unlabelled') return testCase;
  return { ...testCase, skipped: { '@message': reasons[status] } };
}

const reasons = {
  unanswerable: 'no document answers it',
  unlabelled: 'no judgment yet',
} as const;

interface CaseCollector {
  readonly add: (testCase: TestCase) => void;
  readonly count: () => number;
  /** The suite names its counts before its cases. */
  readonly toSuite: (name: string, properties: readonly object[]) => Generator<string>;
}

/** Keeps the cases of a suite as they are written, since the objects would take many times the memory. */
function createCases(): CaseCollector {
  const texts: string[] = [];
  const counts = { error: 0, failure: 0, skipped: 0 };
  return {
    add(testCase) {
      texts.push(writeXml({ testcase: testCase }));
      for (const end of ['error', 'failure', 'skipped'] as const) {
        counts[end] += testCase[end] === undefined ? 0 : 1;
      }
    },
    count: () => texts.length,
    *toSuite(name, properties) {
      const suite = {
        '@name': name,
        '@tests': texts.length,
        '@errors': counts.error,
        '@failures': counts.failure,
        '@skipped': counts.skipped,
        ...(properties.length > 0 && { properties: { property: properties } }),
        testcase: { '@name': place },
      };
      const [start = '', end = ''] = writeXml({ testsuite: suite }).split(placeLine);
      yield start;
      yield* texts;
      yield end;
    },
  };
}

/** Where the cases of a suite go. */
const place = 'cases';
const placeLine = /^ *<testcase name="cases"\/>\n/m;

function writeXml(element: object): string {
  return withoutControls(builder.build(element));
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
      ? { ...named, 'system-out': detail }
      : { ...named, failure: { '@type': verdict, '@message': detail } };
  });
}

/** XML 1.0 has no place for most control characters, not even escaped. */
function withoutControls(xml: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that must not be there.
  return xml.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD');
}
