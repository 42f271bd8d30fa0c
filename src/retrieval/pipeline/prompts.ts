import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import {
  listRewrites,
  type PipelineConfiguration,
  type Rerank,
  type Rewrite,
} from '../../model/pipeline-configuration.ts';

/** The service's own instruction of each stage that asks a model. */
const ownPrompts = {
  'rewrite/llm': readPrompt('rewrite'),
  'rewrite/hyde': readPrompt('hyde'),
  'rewrite/followUp': readPrompt('follow-up'),
  'rerank/llm': readPrompt('rerank'),
} as const;

/**
 * A pipeline with the instruction of every stage that asks a model written out, so that an evaluation goes on
 * with the one it began with, and two that were made with different ones can be told apart.
 */
export function fixPrompts(pipeline: PipelineConfiguration): PipelineConfiguration {
  const { rewrite, rerank } = pipeline;
  const fixed = listRewrites(pipeline).map((each) => fixPrompt('rewrite', each));
  const [only] = fixed;
  return {
    ...pipeline,
    ...(rewrite && { rewrite: Array.isArray(rewrite) || !only ? fixed : only }),
    ...(rerank && { rerank: fixPrompt('rerank', rerank) }),
  };
}

/** A prompt's name in traces: the start of its SHA-256. */
export function hashPrompt(prompt: string): string {
  return createHash('sha256').update(prompt).digest('hex').slice(0, 16);
}

function fixPrompt<Stage extends Rewrite | Rerank>(
  place: 'rewrite' | 'rerank',
  stage: Stage,
): Stage {
  if (!('timeoutMs' in stage) || stage.type === 'crossEncoder') return stage;
  if ('prompt' in stage && stage.prompt !== undefined) return stage;
  return { ...stage, prompt: ownPrompts[`${place}/${stage.type}` as keyof typeof ownPrompts] };
}

function readPrompt(name: string): string {
  return readFileSync(new URL(`./prompts/${name}.md`, import.meta.url), 'utf8').trim();
}
