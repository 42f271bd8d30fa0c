import { describe, expect, it } from 'vitest';

import { planAblations } from '../../../../src/evaluation/planning/plan-ablation.ts';
import type { PipelineConfiguration } from '../../../../src/model/pipeline-configuration.ts';

const rewrite = { type: 'glossary', terms: { stuck: 'blocked' } } as const;
const fusion = { type: 'rrf', k: 30 } as const;
const rerank = { type: 'lexical' } as const;

const make = (name: string, pipeline?: PipelineConfiguration) =>
  ({
    name,
    backend: 'local',
    corpus: 'c',
    method: 'bm25',
    chunking: { strategy: 'whole' },
    candidates: 8,
    rrfK: 60,
    depth: 100,
    filters: [],
    users: {},
    pipeline,
  }) as const;

describe('planAblations', () => {
  it('puts a configuration beside itself with each stage left out', () => {
    const whole = make('c', { rewrite, fusion, candidates: 5, rerank });
    const { configurations, ablations } = planAblations([make('a'), whole]);

    expect(configurations.map(({ name, pipeline }) => [name, pipeline])).toEqual([
      ['a', undefined],
      ['c.plain', {}],
      ['c.rewrite', { rewrite, fusion }],
      ['c.rerank', { candidates: 5, rerank }],
      ['c', { rewrite, fusion, candidates: 5, rerank }],
    ]);
    expect(ablations).toEqual([
      {
        configuration: 'c',
        variants: [
          { variant: 'plain', configuration: 'c.plain' },
          { variant: '+rewrite', configuration: 'c.rewrite' },
          { variant: '+rerank', configuration: 'c.rerank' },
          { variant: '+both', configuration: 'c' },
        ],
      },
    ]);
  });

  it.each([
    ['+rewrite', { rewrite }],
    ['+rerank', { rerank }],
  ])('calls one with a single stage %s', (variant, pipeline) => {
    const { ablations } = planAblations([make('c', pipeline)]);
    expect(ablations[0]?.variants).toEqual([
      { variant: 'plain', configuration: 'c.plain' },
      { variant, configuration: 'c' },
    ]);
  });

  it.each([[undefined], [{}], [{ fusion }], [{ rewrite: [] }]])(
    'leaves alone what has no stage to leave out: %j',
    (pipeline) => {
      const configuration = make('c', pipeline);
      expect(planAblations([configuration])).toEqual({
        configurations: [configuration],
        ablations: [],
      });
    },
  );

  it('finds names that nobody has, within the length of a name', () => {
    const long = 'n'.repeat(64);
    const taken = [
      make(`${'n'.repeat(58)}.plain`),
      make(long, { rerank }),
      make(`${long.slice(1)}m`, { rerank }),
    ];
    const { configurations } = planAblations(taken);

    const names = configurations.map(({ name }) => name);
    expect(new Set(names).size).toBe(5);
    expect(names).toContain(`${'n'.repeat(56)}.plain-2`);
    expect(names.map(({ length }) => length <= 64)).not.toContain(false);
  });
});
