import { XMLBuilder } from 'fast-xml-parser';

import type { Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import { inTurn } from '../computations/current-request.ts';
import type { GateVerdict } from '../../ir/statistics/gate-verdict.ts';
import { averageOf } from '../../model/average-rule.ts';
import { nameCheck, nameFloor } from '../gates/explain-gate.ts';
import { settleVerdict } from '../gates/settle-verdict.ts';
import { findMaxGrade } from '../measures/find-max-grade.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';
import { scoreQuestion, type ScoreScale } from '../scoring/score-question.ts';
import { streamOutcomes, toStatus } from '../outcomes/stream-outcomes.ts';
import type { EvaluationDescription } from '../lifecycle/describe-evaluation.ts';
import { listErrorCases, tellWarnings } from './warning-cases.ts';
import type { Outcome } from '../../model/outcome.ts';

interface TestCase {
  readonly '@name': string;
  readonly '@classname': string;
  readonly '@time'?: string;
  readonly properties?: object;
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
 * An evaluation as a JUnit report for CI, part by part: a suite for each configuration, a case for each question with its
 * values as properties. A failed search is an error; a question without answer or without judgment is skipped. The gate is
 * a suite with a case for each check and one for each configuration: what fails is a failure, what is inconclusive is
 * skipped. Warnings are the output of a suite, and errors among them cases of a suite. Means are properties. Question texts are not in it.
 */
export async function* reportAsJunit(
  db: Database,
  description: EvaluationDescription,
): AsyncGenerator<string> {
  const scorecard = description.evaluation.scorecard ?? [];
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="grounding-eval">\n';
  for (const { name, position } of description.configurations) {
    const cases = createCases();
    const scale = await readScale(db, description);
    await inTurn(async () => {
      for await (const asked of streamOutcomes(db, description.evaluation, position)) {
        const { question, outcome } = asked;
        if (outcome) cases.add(toCase(name, { question, outcome, scale }));
      }
    }, description.evaluation.total);
    const row = scorecard.find(({ configuration }) => configuration === name);
    yield* cases.toSuite(name, listProperties(description, name), tellWarnings(row));
  }
  const warnings = createCases();
  for (const error of listErrorCases(scorecard)) warnings.add(error);
  if (warnings.count() > 0) yield* warnings.toSuite('warnings', []);
  const gate = createCases();
  for (const verdict of listGateCases(description)) gate.add(verdict);
  if (gate.count() > 0) yield* gate.toSuite('gate', []);
  yield '</testsuites>\n';
}

async function readScale(db: Database, { evaluation }: EvaluationDescription) {
  const measures = resolveMeasures(evaluation.plan);
  const maxGrade = await findMaxGrade(db, evaluation, measures);
  return { measures, maxGrade, average: averageOf(evaluation.plan) };
}

interface AskedCase {
  readonly question: Question;
  readonly outcome: Outcome;
  readonly scale: ScoreScale;
}

function toCase(configuration: string, { question, outcome, scale }: AskedCase): TestCase {
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
  if (status !== 'unanswerable' && status !== 'unlabelled') {
    const values = scoreQuestion(question, outcome, scale) ?? [];
    const property = scale.measures.flatMap(({ name }, index) => toProperty(name, values[index]));
    return property.length > 0 ? { ...testCase, properties: { property } } : testCase;
  }
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
  readonly toSuite: (
    name: string,
    properties: readonly object[],
    output?: string,
  ) => Generator<string>;
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
    *toSuite(name, properties, output) {
      const suite = {
        '@name': name,
        '@tests': texts.length,
        '@errors': counts.error,
        '@failures': counts.failure,
        '@skipped': counts.skipped,
        ...(properties.length > 0 && { properties: { property: properties } }),
        testcase: { '@name': place },
        ...(output !== undefined && { 'system-out': output }),
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
  return Object.entries(row?.measures ?? {}).flatMap(([measure, mean]) =>
    toProperty(measure, mean),
  );
}

function toProperty(name: string, value: number | null | undefined): readonly object[] {
  return value === null || value === undefined ? [] : [{ '@name': name, '@value': String(value) }];
}

function listGateCases({ gate }: EvaluationDescription): readonly TestCase[] {
  return (gate?.configurations ?? []).flatMap((decision) => {
    const { configuration, verdict, detail, checks, floors = [] } = decision;
    const counted = checks.filter(({ isCounted }) => isCounted);
    const named = [
      ...counted.map((check) => ({ name: nameCheck(check), verdict: check.verdict })),
      ...floors.map((floor) => ({ name: nameFloor(floor), verdict: floor.verdict })),
    ];
    const ofChecks = named.map(({ name, verdict: found }) => {
      const settled = settleVerdict(found, gate?.onInconclusive);
      return toGateCase({ name, group: `gate.${configuration}`, verdict: settled, detail });
    });
    return [...ofChecks, toGateCase({ name: configuration, group: 'gate', verdict, detail })];
  });
}

interface GateCase {
  readonly name: string;
  readonly group: string;
  readonly verdict: GateVerdict;
  readonly detail: string;
}

function toGateCase({ name, group, verdict, detail }: GateCase): TestCase {
  const named = { '@name': name, '@classname': group };
  if (verdict === 'pass') return { ...named, 'system-out': detail };
  if (verdict === 'inconclusive') return { ...named, skipped: { '@message': detail } };
  return { ...named, failure: { '@type': verdict, '@message': detail } };
}

/** XML 1.0 has no place for most control characters, not even escaped. */
function withoutControls(xml: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that must not be there.
  return xml.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD');
}
