import type { z } from 'zod';

import type { Pool } from '../../schemas/pool.ts';
import { requireFormat, type CommonOptions } from '../common-options.ts';
import type { CommandContext, CommandEnd } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { openSources, toUniqueNames } from '../files/source.ts';
import { formatTable } from '../output/table.ts';
import { evaluateFiles } from '../service/evaluate-files.ts';
import { withService } from '../service/open-service.ts';

export interface PoolOptions extends CommonOptions {
  readonly depth: number;
}

/** Lists what to judge next: documents in the top of a run without a judgment. As CSV they have an empty grade. */
export async function pool(
  qrels: string,
  runs: readonly string[],
  { options, output, signal }: CommandContext<PoolOptions>,
): CommandEnd {
  const isCsvFile = options.format === 'table' && options.out?.toLowerCase().endsWith('.csv');
  const asked = isCsvFile === true ? 'csv' : options.format;
  const format = requireFormat(asked, ['table', 'json', 'csv']);
  const { depth, quiet } = options;
  const sources = await openSources([qrels, ...runs], options.url);
  const names = toUniqueNames(runs);
  const body = await withService({ options, signal }, async (service) => {
    const measures = [`judged@${depth}`];
    const { id } = await evaluateFiles(service, sources, { names, measures, quiet });
    const accept = format === 'csv' ? 'text/csv' : 'application/json';
    const json = { evaluation: id, depth };
    return (await service.call({ method: 'POST', path: '/v1/pool', body: { json }, accept })).body;
  });
  await output.result(format === 'csv' ? body : toText(body, format));
  return exitCodes.done;
}

function toText(body: string, format: 'table' | 'json'): string {
  const found = JSON.parse(body) as z.infer<typeof Pool>;
  if (format === 'json') return `${JSON.stringify(found, null, 2)}\n`;
  const rows = found.questions.flatMap(({ id, text, documents }) =>
    documents.map(({ documentId, retrievedBy }) => [
      id,
      documentId,
      retrievedBy.map(({ configuration, rank }) => `${configuration} (${rank})`).join(', '),
      text === id ? '' : text,
    ]),
  );
  const coverage = Object.entries(found.coverage).map(
    ([name, share]) => `${name}: ${share === null ? 'no question' : share.toFixed(4)} judged\n`,
  );
  const header = ['question', 'document', 'found by (rank)', 'text'];
  return [
    `${found.unjudged} documents without a judgment in the top ${found.depth}\n`,
    ...coverage,
    ...(rows.length > 0 ? ['\n', formatTable(header, rows, { left: [0, 1, 2, 3] })] : []),
  ].join('');
}
