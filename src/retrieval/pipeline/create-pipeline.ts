import { RetrieverError } from '../../errors.ts';
import { findUser } from '../find-user.ts';
import type { ChatModel, ModelAccess } from '../chat-model.ts';
import type { PipedConfiguration } from '../../model/search-configuration.ts';
import { defaultFusion } from './fuse-versions.ts';
import { createGlossaryRewriter } from './glossary-rewriter.ts';
import { createLlmReranker } from './llm-reranker.ts';
import { listModelStages, toModelAccess } from './model-access.ts';
import {
  createFollowUpRewriter,
  createHydeRewriter,
  createLlmRewriter,
} from './model-rewriters.ts';
import {
  type CrossEncoderRerank,
  listRewrites,
  type ModelStage,
  type PipelineConfiguration,
  type Rerank,
  type Rewrite,
} from '../../model/pipeline-configuration.ts';
import type { PipelineStages } from './pipeline-retriever.ts';
import { fixPrompts, hashPrompt } from './prompts.ts';
import { type RerankStage, defaultCandidates } from './rerank-candidates.ts';
import type { Reranker } from './reranker.ts';
import type { Rewriter } from './rewrite-question.ts';
import type { StageModel } from './stage-model.ts';

/** What the stages of pipelines are made of. */
export interface PipelineTools {
  /** Absent: stages that ask a model cannot run. */
  readonly chatModel?: ChatModel | undefined;
  readonly createLexicalReranker: () => Reranker;
  readonly createCrossEncoder?: ((rerank: CrossEncoderRerank) => Reranker) | undefined;
}

/** Makes the stages of a configuration's pipeline ready to run. */
export function createPipelineStages(
  configuration: PipedConfiguration,
  pipeline: PipelineConfiguration,
  tools: PipelineTools,
): PipelineStages {
  const { backend } = configuration;
  const users: Readonly<Record<string, unknown>> = configuration.users;
  const fixed = fixPrompts(pipeline);
  const { rerank, fusion = defaultFusion, candidates = defaultCandidates } = fixed;
  const toModel = (stage: ModelStage) => toStageModel(configuration, stage, tools.chatModel);
  return {
    backend,
    rewriters: listRewrites(fixed).map((rewrite) => createRewriter(rewrite, toModel)),
    fusion,
    rerank: rerank && { ...createRerankStage(rerank, toModel, tools), candidates },
    versionTimeoutMs: fixed.versionTimeoutMs,
    checkUser: (user) => void (user === undefined || findUser(users, user)),
  };
}

/** Every way in which a pipeline calls a model. */
export function listModelAccess(
  configuration: PipedConfiguration,
  pipeline: PipelineConfiguration,
): readonly ModelAccess[] {
  return listModelStages(pipeline).map(({ stage }) => toModelAccess(configuration, stage));
}

/** The models of this machine that a pipeline scores passages with. */
export function listCrossEncoders({ rerank }: PipelineConfiguration): readonly string[] {
  return rerank?.type === 'crossEncoder' ? [rerank.model] : [];
}

type ToModel = (stage: ModelStage) => StageModel;

function createRewriter(rewrite: Rewrite, toModel: ToModel): Rewriter {
  if (rewrite.type === 'glossary') return createGlossaryRewriter(rewrite.terms);
  if (rewrite.type === 'llm') return createLlmRewriter(toModel(rewrite), rewrite.versions);
  if (rewrite.type === 'hyde') return createHydeRewriter(toModel(rewrite));
  return createFollowUpRewriter(toModel(rewrite));
}

function createRerankStage(
  rerank: Rerank,
  toModel: ToModel,
  { createLexicalReranker, createCrossEncoder }: PipelineTools,
): Omit<RerankStage, 'candidates'> {
  const { type, on = 'chunk' } = rerank;
  if (type === 'lexical') {
    return { type, on, minScore: rerank.minScore, reranker: createLexicalReranker() };
  }
  if (type === 'llm') {
    const model = toModel(rerank);
    const promptHash = hashPrompt(model.prompt);
    return { type, on, reranker: createLlmReranker(model, rerank), promptHash };
  }
  const { timeoutMs, minScore } = rerank;
  const reranker = createCrossEncoder?.(rerank) ?? { rerank: refuse };
  return { type, on, minScore, reranker, timeoutMs };
}

function toStageModel(
  configuration: PipedConfiguration,
  stage: ModelStage,
  chat: ChatModel = { complete: refuse },
): StageModel {
  const { prompt = '' } = stage;
  return { chat, access: toModelAccess(configuration, stage), stage, prompt };
}

/** A pipeline whose models are out of reach can still show what it found: only its searches fail. */
function refuse(): Promise<never> {
  const message = 'This process has no connection to the model of the stage';
  return Promise.reject(new RetrieverError('retriever-failed', message));
}
