import type { z } from 'zod';

import { findConfigurationIssues } from '../retrieval/registry.ts';
import type { SearchConfiguration } from '../model/search-configuration.ts';

/** Refuses a configuration whose parts do not fit together, by the checks of its backend. */
export function checkConfiguration(
  configuration: SearchConfiguration,
  context: z.RefinementCtx,
): void {
  for (const { path, message } of findConfigurationIssues(configuration)) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
}
