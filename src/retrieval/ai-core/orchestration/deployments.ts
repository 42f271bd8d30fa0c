import { DeploymentApi } from '@sap-ai-sdk/ai-api';
import { z } from 'zod';

import { AiCoreFailure } from '../ai-core-failure.ts';
import { callAiCore, type CallOptions, sendRequest } from '../call-ai-core.ts';
import { type AiCoreWay, keyOfWay } from '../connection.ts';
import { explainForeignAnswer } from '../explain-failure.ts';
import type { Clock } from '../resilience/clock.ts';
import { untilAborted } from '../until-aborted.ts';

/**
 * Where the orchestration service of each resource group runs, asked once for five minutes however many want
 * to know. The SDK's own cache goes by resource group alone, and two destinations may each have a `default`.
 */
export interface OrchestrationDeployments {
  /** Throws AiCoreFailure, of kind `destination` when none is running. */
  readonly find: (options: CallOptions) => Promise<string>;
  /** Forgets a deployment that is not there any more. */
  readonly drop: (way: AiCoreWay, deploymentId: string) => void;
}

const lifeMs = 5 * 60_000;

interface Lookup {
  readonly id: Promise<string>;
  readonly askedAt: number;
  /** Once it is known. */
  found?: string;
}

export function createOrchestrationDeployments(clock: Clock): OrchestrationDeployments {
  const lookups = new Map<string, Lookup>();

  function start(options: CallOptions): Lookup {
    const key = keyOfWay(options);
    const lookup: Lookup = { id: askForDeployment(options), askedAt: clock.now() };
    lookups.set(key, lookup);
    lookup.id.then(
      (id) => (lookup.found = id),
      // A failure is not kept: the next call asks again.
      () => forget(key, lookup),
    );
    return lookup;
  }

  function forget(key: string, lookup: Lookup): void {
    if (lookups.get(key) === lookup) lookups.delete(key);
  }

  return {
    find(options) {
      const known = lookups.get(keyOfWay(options));
      const isFresh = known !== undefined && clock.now() - known.askedAt < lifeMs;
      return untilAborted((isFresh ? known : start(options)).id, options.signal);
    },
    drop(way, deploymentId) {
      const known = lookups.get(keyOfWay(way));
      if (known?.found === deploymentId) forget(keyOfWay(way), known);
    },
  };
}

async function askForDeployment(options: CallOptions): Promise<string> {
  const { resourceGroup } = options;
  const query = { scenarioId: 'orchestration', status: 'RUNNING' } as const;
  const headers = { 'AI-Resource-Group': resourceGroup };
  const send = sendRequest(() => DeploymentApi.deploymentQuery(query, headers));
  // Others wait for the same answer: neither one question's end nor the limit of searches holds it up.
  const shared = { signal: new AbortController().signal, secrets: [], gate: undefined };
  const answer = await callAiCore(send, { ...options, ...shared, onSend: undefined });
  const { data } = Deployments.safeParse(answer.body);
  if (!data) throw explainForeignAnswer(answer);
  const [first] = data.resources;
  if (first) return first.id;
  const message = `Resource group '${resourceGroup}' has no running deployment of the scenario "orchestration". Create one there, or name the resource group that has one`;
  throw new AiCoreFailure('destination', message);
}

const Deployments = z.object({ resources: z.array(z.object({ id: z.string().min(1) })) });
