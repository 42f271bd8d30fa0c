import { AppError, RetrieverError } from '../../../errors.ts';
import type { Retriever } from '../../retriever.ts';
import type { AiCoreConfiguration } from '../../search-configuration.ts';
import { createAiCoreAccess } from './access.ts';
import { AiCoreFailure } from './ai-core-failure.ts';
import { createAiCoreRetriever } from './aicore-retriever.ts';
import { listRepositories, type RepositoryPage } from './list-repositories.ts';
import { type Clock, systemClock } from './resilience/clock.ts';
import { createGroupGate, type GroupGate } from './resilience/group-gate.ts';
import type { ServiceKey } from './service-key.ts';

export interface AiCoreOptions {
  /** Undefined: only configurations with a destination can be searched. */
  readonly serviceKey?: ServiceKey | undefined;
  /** The most searches of one resource group under way at once. */
  readonly concurrency: number;
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly clock?: Clock;
}

export interface RepositoryRequest {
  readonly resourceGroup: string;
  readonly destination?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** SAP AI Core as this process uses it: one token and one gate for all that share them. */
export interface AiCore {
  readonly createRetriever: (configuration: AiCoreConfiguration) => Retriever;
  /** Why nothing can be searched that way; undefined: nothing is known against it. Calls nobody. */
  readonly findObstacle: (way: Pick<AiCoreConfiguration, 'destination'>) => string | undefined;
  /** Throws `conflict` without a way to AI Core, and RetrieverError when it does not answer. */
  readonly listRepositories: (
    request: RepositoryRequest,
    signal: AbortSignal,
  ) => Promise<RepositoryPage>;
}

/** A token endpoint may take this long; @sap/xssec allows no more. */
const longestTokenMs = 10_000;

export function createAiCore(options: AiCoreOptions): AiCore {
  const { serviceKey, timeoutMs, attempts, concurrency, clock = systemClock } = options;
  const access = createAiCoreAccess({
    serviceKey,
    clock,
    timeoutMs: Math.min(timeoutMs, longestTokenMs),
    socketTimeoutMs: timeoutMs + 1000,
  });
  const gates = new Map<string, GroupGate>();

  function findGate({ destination, resourceGroup }: AiCoreConfiguration): GroupGate {
    const key = JSON.stringify([destination, resourceGroup]);
    const gate = gates.get(key) ?? createGroupGate(concurrency, clock);
    gates.set(key, gate);
    return gate;
  }

  function findObstacle({ destination }: { readonly destination?: string | undefined }) {
    if (destination !== undefined || serviceKey) return undefined;
    return 'There is no way to SAP AI Core: bind an aicore service instance, set AICORE_SERVICE_KEY, or name a destination in the search configuration';
  }

  return {
    createRetriever(configuration) {
      const gate = findGate(configuration);
      return createAiCoreRetriever(configuration, { access, gate, clock, timeoutMs, attempts });
    },
    findObstacle,
    async listRepositories({ resourceGroup, destination, limit, offset }, signal) {
      const obstacle = findObstacle({ destination });
      if (obstacle !== undefined) throw new AppError('conflict', obstacle);
      const call = { access, clock, timeoutMs, resourceGroup, destination, signal, secrets: [] };
      return listRepositories({ limit, offset }, call).catch((error: unknown) => {
        if (!(error instanceof AiCoreFailure)) throw error;
        const { message, requestId } = error;
        throw new RetrieverError('retriever-failed', message, { cause: error, requestId });
      });
    },
  };
}
