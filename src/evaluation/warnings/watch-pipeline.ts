import type { PipelineConfiguration } from '../../model/pipeline-configuration.ts';
import type { Watcher } from './ranking-watcher.ts';
import { nameSome, warnIf } from '../../model/warnings.ts';

/** What a pipeline did that its numbers alone do not tell. */
export function watchPipeline(pipeline: PipelineConfiguration | undefined): readonly Watcher[] {
  return pipeline ? [watchFallbacks(), watchDroppedCodes()] : [];
}

function watchFallbacks(): Watcher {
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
        message: `Stages of the pipeline failed or were late and were left out (${nameSome(stages)}), so that these questions were not searched as configured`,
      }),
  };
}

function watchDroppedCodes(): Watcher {
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
        message: `Rewriting dropped tokens with a digit (${nameSome(codes)}); the question itself was searched too`,
      }),
  };
}

const maxNamed = 100;
