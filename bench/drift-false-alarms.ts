/**
 * May the drift verdict be read every night? Simulates years of nights over the same questions and counts the
 * series that ever alarm: where nothing changed (false alarms, beside those of a t-test read every night), and
 * where search got worse (how soon it is found). Seeded: the same figures everywhere.
 *
 * node bench/drift-false-alarms.ts [series a cell, default 200] [nights, default 365]
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import { print, printTable } from '../scripts/demo/print.ts';
import { pairDifferences, summarizeDifferences } from '../src/ir/statistics/differences.ts';
import { createDropTest } from '../src/ir/statistics/sequential-drop.ts';
import { pairedTTest } from '../src/ir/statistics/t-test.ts';

const repetitions = Number(process.argv[2] ?? 200);
const nights = Number(process.argv[3] ?? 365);
const confidence = 0.95;

/** Values that a question may have: reciprocal ranks, three of eight at the top. */
const values = [1, 1, 1, 0.5, 0.5, 1 / 3, 0.25, 0];
const meanValue = values.reduce((sum, value) => sum + value, 0) / values.length;

interface Scenario {
  readonly questions: number;
  /** The share of questions whose value varies from night to night. */
  readonly unsteady: number;
  /** The chance that such a question stays as it was the night before. */
  readonly stickiness: number;
  readonly maxDrop: number;
  /** Standard deviation of what all values of a night have in common. */
  readonly shock: number;
}

/** From a night on, search loses as many questions as lower the mean by `size`. */
interface Loss {
  readonly size: number;
  readonly from: number;
}

type Random = () => number;

interface Found {
  /** The first night with an alarm, counted from 1; undefined: none. */
  readonly alarm: number | undefined;
  readonly tAlarm: number | undefined;
}

measureFalseAlarms();
measureShocks();
measurePower();

function measureFalseAlarms(): void {
  print(
    `False alarms: ${repetitions} series of ${nights} nights without a change; at most 5 % may alarm.`,
  );
  const rows = [50, 150, 500].flatMap((questions) =>
    [0.02, 0.1, 0.5].flatMap((unsteady) =>
      [0, 0.9].flatMap((stickiness) =>
        [0, 0.02].map((maxDrop) =>
          falseAlarmRow({ questions, unsteady, stickiness, maxDrop, shock: 0 }),
        ),
      ),
    ),
  );
  printTable(
    ['questions', 'unsteady', 'sticky', 'maxDrop', 'ever alarmed', 't-test every night'],
    rows,
  );
}

function measureShocks(): void {
  print('');
  print(
    `A shock common to each night, N(0, shock), maxDrop 0: series that ever alarm; at most 5 % may.`,
  );
  const rows = [50, 150, 300].flatMap((questions) =>
    [0.1, 0.5].flatMap((unsteady) =>
      [0.01, 0.02].map((shock) => {
        const scenario = { questions, unsteady, stickiness: 0, maxDrop: 0, shock };
        const found = simulate(scenario, undefined, nights);
        const cells = [String(questions), percent(unsteady), String(shock)];
        return [...cells, percent(share(found, ({ alarm }) => alarm !== undefined))];
      }),
    ),
  );
  printTable(['questions', 'unsteady', 'shock', 'ever alarmed'], rows);
}

function falseAlarmRow(scenario: Scenario): string[] {
  const found = simulate(scenario, undefined, nights);
  return [
    String(scenario.questions),
    percent(scenario.unsteady),
    percent(scenario.stickiness),
    String(scenario.maxDrop),
    percent(share(found, ({ alarm }) => alarm !== undefined)),
    percent(share(found, ({ tAlarm }) => tAlarm !== undefined)),
  ];
}

function measurePower(): void {
  print('');
  print('A real drop: alarmed in its first night, within 7 and within 30, at maxDrop 0.02.');
  const rows = [50, 150, 500].flatMap((questions) =>
    [0.1, 0.5].flatMap((unsteady) =>
      [0.05, 0.1, 0.2].flatMap((size) =>
        [30, 200].map((from) =>
          powerRow({ questions, unsteady, stickiness: 0, maxDrop: 0.02, shock: 0 }, { size, from }),
        ),
      ),
    ),
  );
  printTable(
    ['questions', 'unsteady', 'drop', 'begins in night', '1 night', '7 nights', '30 nights'],
    rows,
  );
}

function powerRow(scenario: Scenario, loss: Loss): string[] {
  const found = simulate(scenario, loss, loss.from + 29);
  const within = (days: number) =>
    percent(
      share(
        found,
        ({ alarm }) => alarm !== undefined && alarm >= loss.from && alarm < loss.from + days,
      ),
    );
  return [
    String(scenario.questions),
    percent(scenario.unsteady),
    String(loss.size),
    String(loss.from),
    within(1),
    within(7),
    within(30),
  ];
}

function simulate(scenario: Scenario, loss: Loss | undefined, last: number): readonly Found[] {
  return Array.from({ length: repetitions }, (_, index) =>
    simulateSeries(createRandom(index + 1), scenario, { loss, last }),
  );
}

/** The baseline is one night as any other, so that it may have been a lucky one. */
function simulateSeries(
  random: Random,
  scenario: Scenario,
  { loss, last }: { readonly loss: Loss | undefined; readonly last: number },
): Found {
  const search = createSearch(random, scenario);
  const isLost = Array.from({ length: scenario.questions }, () =>
    loss ? random() < loss.size / meanValue : false,
  );
  const test = createDropTest({ maxDrop: scenario.maxDrop, confidence });
  const baseline = search();
  let tAlarm: number | undefined;
  for (let night = 1; night <= last; night += 1) {
    const isBad = loss !== undefined && night >= loss.from;
    const found = search().map((value, index) => (isBad && isLost[index] ? 0 : value));
    const differences = pairDifferences(baseline, found).map((d) => Math.min(1, Math.max(-1, d)));
    if (tAlarm === undefined && isWorseByT(differences)) tAlarm = night;
    if (test.add(differences).evidence >= test.threshold) return { alarm: night, tAlarm };
  }
  return { alarm: undefined, tAlarm };
}

/** What teams do without a sequential test: the one-sided t-test at 5 %, every morning. */
function isWorseByT(differences: readonly number[]): boolean {
  const { statistic, p } = pairedTTest(summarizeDifferences(differences));
  return statistic !== null && p !== null && statistic < 0 && p / 2 <= 1 - confidence;
}

/** A search of fixed questions: most have a value, the unsteady ones two, between which they change by chance. */
function createSearch(random: Random, scenario: Scenario): () => readonly number[] {
  const draw = () => values[Math.floor(random() * values.length)] ?? 0;
  const questions = Array.from({ length: scenario.questions }, () => {
    const isUnsteady = random() < scenario.unsteady;
    const chance = random();
    return { isUnsteady, chance, usual: draw(), other: draw(), isOther: random() < chance };
  });
  return () => {
    const shock = scenario.shock * normal(random);
    return questions.map((question) => {
      if (!question.isUnsteady) return question.usual + shock;
      if (random() >= scenario.stickiness) question.isOther = random() < question.chance;
      return (question.isOther ? question.other : question.usual) + shock;
    });
  };
}

/** Box and Muller (Ann. Math. Statist. 29, 1958). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  generator.jump();
  return () => (generator.next() >>> 0) / 2 ** 32;
}

function share(found: readonly Found[], isSo: (one: Found) => boolean): number {
  return found.filter(isSo).length / found.length;
}

function percent(value: number): string {
  return `${Number((100 * value).toFixed(1))} %`;
}
