import type { PipelineConfiguration } from '../../model/pipeline-configuration.ts';
import type { RankingCheck } from './ranking-check.ts';
import { nameSome, warnIf } from '../../model/warnings.ts';

/** What a pipeline did that its numbers alone do not tell. */
export function checkPipeline(
  pipeline: PipelineConfiguration | undefined,
): readonly RankingCheck[] {
  return pipeline ? [checkFallbacks(), checkDroppedCodes()] : [];
}

function checkFallbacks(): RankingCheck {
  const stages = new Set<string>();
  let questions = 0;
  return {
    add({ trace }) {
      for (const { stage, type, code } of trace?.fallbacks ?? []) {
        stages.add(`${stage} ${type}: ${code}`);
      }
      questions += (trace?.fallbacks.length ?? 0) > 0 ? 1 : 0;
    },
    toList: () =>
      warnIf(questions, {
        code: 'stage-fallback',
        message: `Stages of the pipeline failed or timed out and were skipped (${nameSome(stages)}), so these questions were not searched as configured`,
      }),
  };
}

function checkDroppedCodes(): RankingCheck {
  const codes = new Set<string>();
  let questions = 0;
  return {
    add({ trace }) {
      const dropped = trace?.versions.flatMap(({ droppedCodes = [] }) => droppedCodes) ?? [];
      // A handful for the message: a large set may drop a hundred thousand.
      for (const code of dropped) if (codes.size < maxNamed) codes.add(code);
      questions += dropped.length > 0 ? 1 : 0;
    },
    toList: () =>
      warnIf(questions, {
        code: 'dropped-code',
        message: `Rewriting dropped tokens with a digit (${nameSome(codes)}); the original question was searched too`,
      }),
  };
}

const maxNamed = 100;
