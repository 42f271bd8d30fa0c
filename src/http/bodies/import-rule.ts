import type { z } from 'zod';

import type { ImportRule } from '../../evaluation/question-sets/import-rule.ts';
import type { ImportPreview } from '../../evaluation/question-sets/verdict-conflicts.ts';
import type { ImportPreview as WirePreview, ImportQuery } from '../../schemas/import.ts';

/** How the query of a request says that labels are imported. */
export function toImportRule({
  judgments,
  preview,
}: ImportQuery): Omit<ImportRule, 'precondition'> {
  return { judgments, isPreview: preview === 'true' };
}

export function toWirePreview({
  conflicts: { total, errors },
  ...preview
}: ImportPreview): z.input<typeof WirePreview> {
  return { ...preview, conflicts: { total, errors: [...errors] } };
}
