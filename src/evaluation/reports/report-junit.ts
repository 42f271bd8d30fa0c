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
import type { Outcome } from '../../model/outcome.ts';
import { severities } from '../../model/warnings.ts';

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
<<<<<<< HEAD
 * An evaluation as a JUnit report for CI, part by part: a suite for each configuration, a case for each question with its
 * values as properties. A failed search is an error; a question without answer or without judgment is skipped. The gate is
 * a suite with a case for each check and one for each configuration: what fails is a failure, what is inconclusive is
 * skipped. Means are properties. Question texts are not in it.
=======
 * An evaluation as a JUnit report for CI, part by part: a suite for each configuration, a case for each question. A
 * failed search is an error, a question without answer or without judgment is skipped, and a gate that did not pass is a
 * failure; one that passed says why as its output. Warnings are a suite of their own, in which each of severity `error`
 * is an error. Means are properties. Question texts are not in it.
>>>>>>> 237dc7b (Give warnings a severity and name the true cause first)
 */
export async function* reportAsJunit(
  db: Database,
  description: EvaluationDescription,
): AsyncGenerator<string> {
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
    yield* cases.toSuite(name, listProperties(description, name));
  }
  yield* toOwnSuite('warnings', listWarningCases(description));
  yield* toOwnSuite('gate', listGateCases(description));
  yield '</testsuites>\n';
}

<<<<<<< HEAD
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
=======
/** A suite that is there only where it has a case. */
function* toOwnSuite(name: string, own: readonly TestCase[]): Generator<string> {
  const cases = createCases();
  for (const each of own) cases.add(each);
  if (cases.count() > 0) yield* cases.toSuite(name, []);
}

function toCase(configuration: string, question: Question, outcome: Outcome): TestCase {
>>>>>>> 237dc7b (Give warnings a severity and name the true cause first)
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
  return Object.entries(row?.measures ?? {}).flatMap(([measure, mean]) =>
    toProperty(measure, mean),
  );
}

<<<<<<< HEAD
function toProperty(name: string, value: number | null | undefined): readonly object[] {
  return value === null || value === undefined ? [] : [{ '@name': name, '@value': String(value) }];
}

/** What passed says why as its output. */
=======
/** An error means that the means of a row mean nothing; the others are output of a case. */
function listWarningCases({ evaluation }: EvaluationDescription): readonly TestCase[] {
  const all = (evaluation.scorecard ?? []).flatMap(({ configuration, warnings }) =>
    warnings.map((warning) => ({ configuration, ...warning })),
  );
  const ordered = severities.flatMap((each) => all.filter(({ severity }) => severity === each));
  return ordered.map(({ configuration, code, severity, message, questions }) => {
    const named = { '@name': `${severity}: ${code}`, '@classname': configuration };
    const text = `${questions} questions: ${message}`;
    return severity === 'error'
      ? { ...named, error: { '@type': code, '@message': text } }
      : { ...named, 'system-out': text };
  });
}

>>>>>>> 237dc7b (Give warnings a severity and name the true cause first)
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
