import type { Measure } from '../../ir/measures/measure.ts';
import type { ScoreBlock } from '../../model/score-block.ts';
import type { QuestionFacts } from './question-facts.ts';

/** Few enough that reading or writing a block takes about a millisecond. */
const questionsPerBlock = 500;

export interface ScoreBlocks {
  readonly add: (position: number, facts: QuestionFacts) => void;
  readonly count: () => number;
  readonly toList: () => readonly ScoreBlock[];
}

/** Collects the facts of questions, in the set's order, as they are stored. */
export function createScoreBlocks(measures: readonly Measure[]): ScoreBlocks {
  const blocks: Growing<ScoreBlock>[] = [];
  let last = createBlock(measures);
  let questions = 0;
  return {
    add(position, facts) {
      if (questions % questionsPerBlock === 0) {
        last = createBlock(measures);
        blocks.push(last);
      }
      addTo(last, measures, { position, facts });
      questions += 1;
    },
    count: () => questions,
    toList: () => blocks,
  };
}

type Growing<Block> = {
  readonly [Column in keyof Block]: Block[Column] extends readonly (infer Entry)[]
    ? Entry[]
    : Block[Column] extends Readonly<Record<string, readonly (infer Entry)[]>>
      ? Record<string, Entry[]>
      : never;
};

function createBlock(measures: readonly Measure[]): Growing<ScoreBlock> {
  const byMeasure = () => Object.fromEntries(measures.map(({ name }) => [name, []]));
  return {
    positions: [],
    statuses: [],
    isAveraged: [],
    hasFallback: [],
    hasJudged: [],
    firstUnjudged: [],
    values: byMeasure(),
    ties: byMeasure(),
  };
}

function addTo(
  block: Growing<ScoreBlock>,
  measures: readonly Measure[],
  { position, facts }: { readonly position: number; readonly facts: QuestionFacts },
): void {
  const { uncertainty } = facts;
  const firstUnjudged = uncertainty?.firstUnjudged ?? Infinity;
  const place = block.positions.length;
  block.positions.push(position);
  block.statuses.push(facts.status);
  block.isAveraged.push(facts.isAveraged);
  block.hasFallback.push(facts.hasFallback);
  block.hasJudged.push(facts.hasJudged);
  block.firstUnjudged.push(firstUnjudged === Infinity ? null : firstUnjudged);
  for (const [index, { name }] of measures.entries()) {
    block.values[name]?.push(facts.values[index] ?? null);
    const bounds = uncertainty?.ties[index];
    if (bounds) block.ties[name]?.push([place, bounds.worst, bounds.best]);
  }
}

/** The facts of the questions of blocks by position, with the values of some measures that the blocks have. */
export function* readScoreBlock(
  block: ScoreBlock,
  measures: readonly Measure[],
): Generator<readonly [position: number, facts: QuestionFacts]> {
  const columns = measures.map(({ name }) => block.values[name] ?? []);
  const ties = measures.map(
    ({ name }) =>
      new Map(block.ties[name]?.map(([place, worst, best]) => [place, { worst, best }])),
  );
  for (const [place, position] of block.positions.entries()) {
    const isAveraged = block.isAveraged[place] === true;
    const facts = {
      status: block.statuses[place] ?? 'failed',
      isAveraged,
      hasFallback: block.hasFallback[place] === true,
      hasJudged: block.hasJudged[place] === true,
      values: isAveraged ? columns.map((column) => column[place] ?? Number.NaN) : [],
    };
    const uncertainty = {
      ties: ties.map((bounds) => bounds.get(place)),
      firstUnjudged: block.firstUnjudged[place] ?? Infinity,
    };
    yield [position, isAveraged ? { ...facts, uncertainty } : facts];
  }
}
