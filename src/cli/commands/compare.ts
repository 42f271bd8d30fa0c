import type { z } from 'zod';

import type { ComparisonResponse } from '../../schemas/comparison.ts';
import { requireFormat, type CommonOptions } from '../common-options.ts';
import type { CommandContext, CommandEnd } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { openSources, toUniqueNames } from '../files/source.ts';
import { evaluateFiles } from '../service/evaluate-files.ts';
import { withService } from '../service/open-service.ts';
import { tellComparisons } from '../text/tell-comparison.ts';

export interface CompareOptions extends CommonOptions {
  readonly measure?: readonly string[];
  readonly confidence?: number;
}

type Response = z.infer<typeof ComparisonResponse>;

/** Tests two runs against each other, question by question. */
export async function compare(
  [qrels, baseline, candidate]: readonly [string, string, string],
  { options, output, signal }: CommandContext<CompareOptions>,
): CommandEnd {
  const format = requireFormat(options.format, ['table', 'json', 'markdown', 'csv']);
  const { measure: measures = ['nDCG@10'], confidence, seed } = options;
  const sources = await openSources([qrels, baseline, candidate], options.url);
  const names = toUniqueNames([baseline, candidate]);
  const { body } = await withService({ options, signal }, async (service) => {
    const { id } = await evaluateFiles(service, sources, { names, measures, quiet: options.quiet });
    const [measure] = measures;
    const asked = measures.length === 1 ? { measure } : { measures };
    const sides = { evaluation: id, baseline: names[0], candidate: names[1] };
    const json = { ...sides, ...asked, confidence, seed };
    const accept = accepted[format];
    return service.call({ method: 'POST', path: '/v1/compare', body: { json }, accept });
  });
  await output.result(toResult(body, format));
  return exitCodes.done;
}

/** The service writes Markdown and CSV itself. */
const accepted = {
  table: 'application/json',
  json: 'application/json',
  markdown: 'text/markdown',
  csv: 'text/csv',
} as const;

function toResult(body: string, format: keyof typeof accepted): string {
  if (accepted[format] !== 'application/json') return body;
  const answer = JSON.parse(body) as Response;
  if (format === 'json') return `${JSON.stringify(answer, null, 2)}\n`;
  return tellComparisons('comparisons' in answer ? answer.comparisons : [answer]);
}
