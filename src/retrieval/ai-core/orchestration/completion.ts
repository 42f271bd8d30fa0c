import { OrchestrationClient, type OrchestrationModuleConfig } from '@sap-ai-sdk/orchestration';

import { SearchFailure } from '../../search-failure.ts';
import { type AiCoreAnswer, callAiCore, type CallOptions, type Send } from '../call-ai-core.ts';
import type { OrchestrationDeployments } from './deployments.ts';

/** What the orchestration service is asked to do. */
export interface Completion {
  readonly modules: OrchestrationModuleConfig;
  /** Values of the template's placeholders; never templates themselves. */
  readonly values: Readonly<Record<string, string>>;
}

/** One call of the orchestration service. If the deployment was replaced, the new one is looked up and called once. */
export async function complete(
  completion: Completion,
  deployments: OrchestrationDeployments,
  options: CallOptions,
): Promise<AiCoreAnswer> {
  const { name: model } = completion.modules.promptTemplating.model;
  const deploymentId = await deployments.find(model, options);
  try {
    return await callAiCore(createSend(completion, deploymentId, options), options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    deployments.drop(options, deploymentId);
    const replacement = await deployments.find(model, options);
    if (replacement === deploymentId) throw error;
    return callAiCore(createSend(completion, replacement, options), options);
  }
}

function createSend(
  { modules, values }: Completion,
  deploymentId: string,
  { resourceGroup }: CallOptions,
): Send {
  return async (destination, middleware) => {
    const client = new OrchestrationClient(modules, { deploymentId, resourceGroup }, destination);
    const asked = { placeholderValues: { ...values } };
    const { rawResponse } = await client.chatCompletion(asked, { middleware: [middleware] });
    return rawResponse;
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof SearchFailure && error.kind === 'status' && error.status === 404;
}
