import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createDepthCurves, traceDepths } from '../../../../src/ir/funnel/depth-curve.ts';
import type { Measure } from '../../../../src/ir/measures/measure.ts';
import { parseMeasure } from '../../../../src/ir/measures/parse-measure.ts';

const context = { maxGrade: 3 };

describe('traceDepths', () => {
  // Worked by hand. Judged: 2, 1, 1; ranking: none, 1, 0, 2, none. DCG discounts log2(2, 3, 4, 5) =
  // 1, 1.58496, 2, 2.32193; ideal at 3: 2 + 1 / 1.58496 + 1 / 2 = 3.13093,
  // so that 0.63093 / 3.13093 = 0.201515, 1 / 3.13093 = 0.319394 and 2.63093 / 3.13093 = 0.840303.
  const judged = { grades: [null, 1, 0, 2, null], judged: [2, 1, 1, 0] };

  it.each([
    ['hit@3', [0, 1, 1, 1, 1], [0, 1, 1, 1, 1]],
    ['P@2', [0, 0.5, 0.5, 0.5, 0.5], [0, 0.5, 0.5, 1, 1]],
    ['R@10', [0, 1 / 3, 1 / 3, 2 / 3, 2 / 3], [0, 1 / 3, 1 / 3, 2 / 3, 2 / 3]],
    ['RR', [0, 0.5, 0.5, 0.5, 0.5], [0, 1, 1, 1, 1]],
    ['AP', [0, 1 / 6, 1 / 6, 1 / 3, 1 / 3], [0, 1 / 3, 1 / 3, 2 / 3, 2 / 3]],
    ['setP', [0, 1 / 2, 1 / 3, 2 / 4, 2 / 5], [0, 1 / 2, 1 / 3, 2 / 4, 2 / 5]],
    [
      'nDCG@3',
      [0, 0.201515, 0.201515, 0.201515, 0.201515],
      [0, 0.319394, 0.319394, 0.840303, 0.840303],
    ],
  ])('traces %s', (name, kept, oracle) => {
    const traced = traceDepths(getMeasure(name), judged, { depth: 5, context });
    expect(traced.kept).toEqual(kept.map((value) => expect.closeTo(value, 6)));
    expect(traced.oracle).toEqual(oracle.map((value) => expect.closeTo(value, 6)));
  });

  it('goes on flat where the ranking has ended', () => {
    const { kept } = traceDepths(getMeasure('R@10'), judged, { depth: 8, context });
    expect(kept.slice(4)).toEqual([2 / 3, 2 / 3, 2 / 3, 2 / 3]);
  });

  it('is at each N what the measure makes of the ranking cut there', () => {
    fc.assert(
      fc.property(rankings, measures, (ranked, measure) => {
        const depth = ranked.grades.length + 2;
        const { kept } = traceDepths(measure, ranked, { depth, context });
        const cut = kept.map((_value, index) =>
          measure.compute({ ...ranked, grades: ranked.grades.slice(0, index + 1) }, context),
        );
        expect(kept).toEqual(cut);
      }),
    );
  });

  it('is reached by no other order of the first N', () => {
    fc.assert(
      fc.property(shuffledRankings, qualityMeasures, ({ ranked, shuffled }, measure) => {
        const depth = ranked.grades.length + 1;
        const { oracle } = traceDepths(measure, ranked, { depth, context });
        const other = measure.compute({ ...ranked, grades: shuffled }, context);
        expect(oracle.at(-1)).toBeGreaterThanOrEqual(other - 1e-12);
      }),
    );
  });

  it('never falls with N for what rewards finding more', () => {
    fc.assert(
      fc.property(rankings, risingMeasures, (ranked, measure) => {
        const { oracle } = traceDepths(measure, ranked, { depth: 12, context });
        const steps = oracle.slice(1).map((value, index) => value - (oracle[index] ?? 0));
        expect(Math.min(...steps)).toBeGreaterThanOrEqual(-1e-12);
      }),
    );
  });
});

describe('createDepthCurves', () => {
  it('averages over the questions', () => {
    const curves = createDepthCurves([getMeasure('RR'), getMeasure('judged@5')], 3);
    curves.add({ grades: [null, 1], judged: [1] }, context);
    curves.add({ grades: [1, null, null], judged: [1] }, context);

    const [rr, judgedAt5] = curves.toCurves();

    expect(rr).toEqual({ kept: [0.5, 0.75, 0.75], oracle: [0.5, 1, 1] });
    expect(judgedAt5).toEqual({ kept: [0.5, 0.5, (1 / 2 + 1 / 3) / 2], oracle: null });
  });

  it('has no values without questions', () => {
    expect(createDepthCurves([getMeasure('RR')], 2).toCurves()).toEqual([
      { kept: [null, null], oracle: [null, null] },
    ]);
  });
});

const grade = fc.constantFrom(null, null, -1, 0, 1, 2, 3);
const rankings = fc
  .record({
    grades: fc.array(grade, { maxLength: 10 }),
    missed: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
  })
  .map(({ grades, missed }) => ({
    grades,
    judged: [...grades.filter((each) => each !== null), ...missed].toSorted((a, b) => b - a),
  }));
const shuffledRankings = rankings.chain((ranked) =>
  fc
    .shuffledSubarray(ranked.grades, { minLength: ranked.grades.length })
    .map((shuffled) => ({ ranked, shuffled })),
);

const rising = [
  'hit@3',
  'P@3',
  'P(rel=2)@5',
  'R@3',
  'F1@4',
  'RR',
  'RR@2',
  'AP',
  'AP@3',
  'nDCG',
  'nDCG@3',
  'nDCG-exp@5',
  'DCG',
  'Rprec',
  'RBP(0.8)',
  'ERR@5',
  'setR',
];
const quality = [...rising, 'bpref', 'setP', 'setF1'];
const risingMeasures = fc.constantFrom(...rising.map(getMeasure));
const qualityMeasures = fc.constantFrom(...quality.map(getMeasure));
const measures = fc.constantFrom(
  ...[...quality, 'infAP', 'judged@3', 'bpref(rel=2)'].map(getMeasure),
);

function getMeasure(name: string): Measure {
  const measure = parseMeasure(name);
  if (!measure) throw new Error(`'${name}' is no measure`);
  return measure;
}
