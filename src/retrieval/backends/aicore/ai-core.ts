import { AppError } from '../../../errors.ts';
import { toRetrieverError } from '../../search-failure.ts';
import type { AiCoreConnection } from '../../ai-core/connection.ts';
import type { Retriever } from '../../retriever.ts';
import type { AiCoreConfiguration } from '../../../model/search-configuration.ts';
import { createAiCoreRetriever } from './aicore-retriever.ts';
import { listRepositories, type RepositoryPage } from './list-repositories.ts';
import type { AiCoreWay } from '../../allowances.ts';

export interface RepositoryRequest extends AiCoreWay {
  readonly limit: number;
  readonly offset: number;
}

/** The grounding API of SAP AI Core. */
export interface AiCore {
  readonly createRetriever: (configuration: AiCoreConfiguration) => Retriever;
  /** Throws `conflict` without a way to AI Core, and RetrieverError when it does not answer. */
  readonly listRepositories: (
    request: RepositoryRequest,
    signal: AbortSignal,
  ) => Promise<RepositoryPage>;
}

export function createAiCore(connection: AiCoreConnection): AiCore {
  const { access, clock, timeoutMs } = connection;
  return {
    createRetriever: (configuration) => createAiCoreRetriever(configuration, connection),
    async listRepositories({ resourceGroup, destination, limit, offset }, signal) {
      const obstacle = connection.findObstacle({ destination });
      if (obstacle !== undefined) throw new AppError('conflict', obstacle);
      const call = { access, clock, timeoutMs, resourceGroup, destination, signal, secrets: [] };
      return listRepositories({ limit, offset }, call).catch((error: unknown) => {
        throw toRetrieverError(error, 0);
      });
    },
  };
}
