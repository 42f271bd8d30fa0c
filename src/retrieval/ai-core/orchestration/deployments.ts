import { DeploymentApi } from '@sap-ai-sdk/ai-api';
import { z } from 'zod';

import {
  adviseOnAllowances,
  holds,
  listAllowedDeployments,
  type AiCoreWay,
} from '../../allowances.ts';
import { SearchFailure } from '../../search-failure.ts';
import { callAiCore, type CallOptions, sendRequest } from '../call-ai-core.ts';
import { keyOfWay } from '../connection.ts';
import { explainForeignAnswer } from '../explain-failure.ts';
import type { Clock } from '../../resilience/clock.ts';
import { untilAborted } from '../until-aborted.ts';

/**
 * Where the orchestration service of each resource group runs, asked once for five minutes however many want
 * to know. The SDK's own cache goes by resource group alone, and two destinations may each have a `default`.
 */
export interface OrchestrationDeployments {
  /** One that may be used for a model. Throws SearchFailure, of kind `destination` when none is running. */
  readonly find: (model: string, options: CallOptions) => Promise<string>;
  /** Forgets a deployment that is not there any more. */
  readonly drop: (way: AiCoreWay, deploymentId: string) => void;
}

const lifeMs = 5 * 60_000;

interface Lookup {
  /** All that run. */
  readonly ids: Promise<readonly string[]>;
  readonly askedAt: number;
  /** Once they are known. */
  found?: readonly string[];
}

export function createOrchestrationDeployments(clock: Clock): OrchestrationDeployments {
  const lookups = new Map<string, Lookup>();

  function start(options: CallOptions): Lookup {
    const key = keyOfWay(options);
    const lookup: Lookup = { ids: askForDeployments(options), askedAt: clock.now() };
    lookups.set(key, lookup);
    lookup.ids.then(
      (ids) => (lookup.found = ids),
      // A failure is not kept: the next call asks again.
      () => forget(key, lookup),
    );
    return lookup;
  }

  function forget(key: string, lookup: Lookup): void {
    if (lookups.get(key) === lookup) lookups.delete(key);
  }

  return {
    async find(model, options) {
      // What runs is the same for all; which of it may be used is not.
      const allowed = listAllowedDeployments(options, model, options.access.allowances);
      if (allowed.length === 0) throw explainUnlisted(options);
      const key = keyOfWay(options);
      const known = lookups.get(key);
      const isFresh = known !== undefined && clock.now() - known.askedAt < lifeMs;
      const lookup = isFresh ? known : start(options);
      const ids = await untilAborted(lookup.ids, options.signal);
      const found = ids.find((id) => holds(allowed, id));
      if (found !== undefined) return found;
      forget(key, lookup);
      throw explainUnlisted(options);
    },
    drop(way, deploymentId) {
      const known = lookups.get(keyOfWay(way));
      if (known?.found?.includes(deploymentId)) forget(keyOfWay(way), known);
    },
  };
}

async function askForDeployments(options: CallOptions): Promise<readonly string[]> {
  const { resourceGroup } = options;
  const query = { scenarioId: 'orchestration', status: 'RUNNING' } as const;
  const headers = { 'AI-Resource-Group': resourceGroup };
  const send = sendRequest(() => DeploymentApi.deploymentQuery(query, headers));
  // Others wait for the same answer: neither one question's end nor the limit of searches holds it up.
  const shared = { signal: new AbortController().signal, secrets: [], gate: undefined };
  const answer = await callAiCore(send, { ...options, ...shared, onSend: undefined });
  const { data } = Deployments.safeParse(answer.body);
  if (!data) throw explainForeignAnswer(answer);
  if (data.resources.length > 0) return data.resources.map(({ id }) => id);
  const message = `Resource group '${resourceGroup}' has no running deployment of the scenario "orchestration". Create one, or use a resource group that has one`;
  throw new SearchFailure('destination', message);
}

function explainUnlisted({ resourceGroup, access: { allowances } }: CallOptions): SearchFailure {
  const message = `None of the allowed deployments of the scenario "orchestration" is running in resource group '${resourceGroup}'. ${adviseOnAllowances(allowances)}`;
  return new SearchFailure('destination', message);
}

const Deployments = z.object({ resources: z.array(z.object({ id: z.string().min(1) })) });
