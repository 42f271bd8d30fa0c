import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  formatMeasure,
  parseMeasure,
  toJudgedForm,
} from '../../../../src/ir/measures/parse-measure.ts';
import { measureFamilies } from '../../../../src/ir/measures/registry.ts';

describe('parseMeasure', () => {
  // GET /v1/measures promises these names and aliases.
  it.each([
    ['hit@3', 'hit@3'],
    ['Success@3', 'hit@3'],
    ['hit_rate@3', 'hit@3'],
    ['P@5', 'P@5'],
    ['R@100', 'R@100'],
    ['F1@3', 'F1@3'],
    ['RR', 'RR'],
    ['RR@10', 'RR@10'],
    ['MRR', 'RR'],
    ['mrr@10', 'RR@10'],
    ['AP', 'AP'],
    ['AP@10', 'AP@10'],
    ['MAP', 'AP'],
    ['Map@10', 'AP@10'],
    ['nDCG', 'nDCG'],
    ['NDCG@10', 'nDCG@10'],
    ['ndcg-exp', 'nDCG-exp'],
    ['nDCG-EXP@10', 'nDCG-exp@10'],
    ['dcg', 'DCG'],
    ['DCG@10', 'DCG@10'],
    ['rprec', 'Rprec'],
    ['BPREF', 'bpref'],
    ['infap', 'infAP'],
    ['rbp(0.8)', 'RBP(0.8)'],
    ['RBP(0.80)', 'RBP(0.8)'],
    ['RBP(p=0.95)', 'RBP(0.95)'],
    ['RBP(0.8,rel=2)', 'RBP(0.8,rel=2)'],
    ['rbp(P=0.8,REL=2)', 'RBP(0.8,rel=2)'],
    ['RBP(0.8,rel=1)', 'RBP(0.8)'],
    ['RBP(0.000000000000001)', 'RBP(0.000000000000001)'],
    ['RBP(0.999999999999999)', 'RBP(0.999999999999999)'],
    ['ERR', 'ERR'],
    ['err@20', 'ERR@20'],
    ['setp', 'setP'],
    ['SETR', 'setR'],
    ['setf1', 'setF1'],
    ['judged@10', 'judged@10'],
    ['p(rel=2)@5', 'P(rel=2)@5'],
    ['RR(rel=2)', 'RR(rel=2)'],
    ['mrr(REL=100)@10', 'RR(rel=100)@10'],
    ['setP(rel=3)', 'setP(rel=3)'],
    ['P(rel=1)@5', 'P@5'],
    ['NDCG(JUDGED)@10', 'nDCG(judged)@10'],
    ['ndcg(judged)', 'nDCG(judged)'],
    ['P(judged,rel=2)@5', 'P(rel=2,judged)@5'],
    ['P(rel=1,judged)@5', 'P(judged)@5'],
    ['rbp(0.80,judged,rel=2)', 'RBP(0.8,rel=2,judged)'],
    ['err(judged)@20', 'ERR(judged)@20'],
    ['infAP(judged)', 'infAP(judged)'],
    ['P@10000', 'P@10000'],
  ])('reads %s as %s', (text, name) => {
    expect(parseMeasure(text)?.name).toBe(name);
  });

  it('says what the name says', () => {
    expect(parseMeasure('mrr(rel=2)@10')).toEqual({
      name: 'RR(rel=2)@10',
      family: 'RR',
      cutoff: 10,
      relevantFrom: 2,
      persistence: undefined,
      judgedOnly: false,
      compute: expect.any(Function),
    });
    expect(parseMeasure('RBP(0.8)')).toMatchObject({ cutoff: undefined, persistence: 0.8 });
  });

  it.each([
    '',
    ' ',
    '@5',
    'P',
    'hit',
    'R',
    'judged',
    'P@',
    'P@0',
    'P@05',
    'P@1e9',
    'P@1.5',
    'P@-1',
    'P@+3',
    'P@10001',
    'P@99999',
    'P@100000',
    'P@٣',
    'P@5 ',
    ' P@5',
    'P @5',
    'P@5\n',
    'P@5@5',
    'Q@5',
    '__proto__',
    'constructor@5',
    'Rprec@5',
    'bpref@5',
    'infAP@5',
    'setP@5',
    'RBP',
    'RBP@5',
    'RBP(0.8)@5',
    'RBP()',
    'RBP(0)',
    'RBP(0.0)',
    'RBP(1)',
    'RBP(1.0)',
    'RBP(.8)',
    'RBP(0.)',
    'RBP(8e-1)',
    'RBP(-0.8)',
    'RBP(0.1234567890123456)',
    'RBP(rel=2)',
    'RBP(rel=2,0.8)',
    'RBP(0.8,0.9)',
    'RBP(0.8,rel=2,rel=3)',
    'P()@5',
    'P(rel=0)@5',
    'P(rel=02)@5',
    'P(rel=101)@5',
    'P(rel=-1)@5',
    'P(rel=1.5)@5',
    'P(rel= 2)@5',
    'P(rel=2,rel=3)@5',
    'P(0.8)@5',
    'P(rel=2@5',
    'nDCG(rel=2)@5',
    'nDCG-exp(rel=2)@5',
    'DCG(rel=2)@5',
    'ERR(rel=2)@5',
    'judged(rel=2)@5',
    'judged(judged)@5',
    'bpref(judged)',
    'P(judged,judged)@5',
    'P(judged,judged_only=True)@5',
    'P(judged=True)@5',
    'P(unjudged)@5',
    'RBP(judged,0.8)',
    'RBP(judged)',
  ])('refuses %j', (text) => {
    expect(parseMeasure(text)).toBeUndefined();
  });

  it('reads a long text in no time', () => {
    const started = performance.now();
    expect(parseMeasure(`${'p'.repeat(1_000_000)}(${'0'.repeat(1_000_000)}`)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('refuses any text that is not a name, and throws for none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseMeasure(`${text}(`)).toBeUndefined();
      }),
    );
  });

  it('gives one name to one measure: a canonical name is read as itself', () => {
    fc.assert(
      fc.property(arbitraryName, (text) => {
        const measure = parseMeasure(text)!;
        const again = parseMeasure(measure.name)!;
        expect(formatMeasure(measure)).toBe(measure.name);
        expect({ ...again, compute: undefined }).toEqual({ ...measure, compute: undefined });
      }),
    );
  });
});

/** A name that is accepted, in any family, spelling and letter case. */
const arbitraryName = fc
  .record({
    family: fc.constantFrom(...measureFamilies),
    alias: fc.nat(),
    isUpper: fc.boolean(),
    withCutoff: fc.boolean(),
    cutoff: fc.integer({ min: 1, max: 10_000 }),
    relevantFrom: fc.option(fc.integer({ min: 1, max: 100 })),
    judgedOnly: fc.boolean(),
    digits: fc.integer({ min: 1, max: 999_999_999_999_999 }),
  })
  .map(({ family, alias, isUpper, withCutoff, cutoff, relevantFrom, judgedOnly, digits }) => {
    const words = [family.name, ...family.aliases];
    const options = [
      ...(family.hasPersistence ? [`0.${String(digits).padStart(15, '0')}`] : []),
      ...(family.isBinary && relevantFrom !== null ? [`rel=${relevantFrom}`] : []),
      ...(family.hasJudgedForm && judgedOnly ? ['judged'] : []),
    ];
    const hasCutoff = family.cutoff === 'required' || (family.cutoff === 'optional' && withCutoff);
    const text = `${words[alias % words.length]}${options.length > 0 ? `(${options.join(',')})` : ''}${hasCutoff ? `@${cutoff}` : ''}`;
    return isUpper ? text.toUpperCase() : text;
  });

describe('toJudgedForm', () => {
  it.each([
    ['nDCG@10', 'nDCG(judged)@10'],
    ['P(rel=2)@5', 'P(rel=2,judged)@5'],
    ['judged@10', 'judged@10'],
  ])('makes %s %s', (name, expected) => {
    expect(toJudgedForm(parseMeasure(name)!).name).toBe(expected);
  });
});
