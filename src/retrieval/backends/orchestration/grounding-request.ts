import { buildDocumentGroundingConfig } from '@sap-ai-sdk/orchestration';

import { addUserConditions } from '../../add-user-conditions.ts';
import type { Completion } from '../../ai-core/orchestration/completion.ts';
import type { OrchestrationConfiguration } from '../../../model/search-configuration.ts';
import { toGroundingFilter } from './grounding-filters.ts';
import { listMetadataParams } from '../../ai-core/orchestration/metadata-params.ts';

/**
 * What the orchestration service is asked for one question: to retrieve as production does, and the shortest
 * answer a model can give, since it insists on asking one. The question is a value of a placeholder, byte
 * for byte. Throws `unknown-user` for a user without conditions.
 */
export function buildGroundingRequest(
  configuration: OrchestrationConfiguration,
  question: string,
  user: string | undefined,
): Completion {
  const filters = addUserConditions(configuration.filters, configuration.users, user);
  const metadata = listMetadataParams(configuration);
  return {
    modules: {
      promptTemplating: {
        model: { name: configuration.model, params: { max_tokens: 1 } },
        prompt: { template: [{ role: 'user', content: '{{?question}} {{?context}}' }] },
      },
      grounding: buildDocumentGroundingConfig({
        placeholders: { input: ['question'], output: 'context' },
        ...(filters.length > 0 && { filters: filters.map(toGroundingFilter) }),
        ...(metadata.length > 0 && { metadata_params: [...metadata] }),
      }),
    },
    values: { question },
  };
}
