import { createClient, type Client } from './client.ts';
import { startTemporaryService } from './service.ts';
import { print, printTable, shorten } from './print.ts';
import type { Stage } from './stage.ts';

const measures = ['hit@3', 'P@3', 'R@3', 'RR', 'nDCG@3', 'nDCG@10'];

interface Row {
  readonly configuration: string;
  readonly questions: Record<string, number>;
  readonly measures: Record<string, number>;
  readonly slices: Record<string, Record<string, { measures: Record<string, number> }>>;
  readonly leaks: { readonly documents: number };
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

interface Evaluation {
  readonly id: string;
  readonly status: string;
  readonly progress: { readonly done: number; readonly total: number };
  readonly questionSet: { readonly name: string; readonly version: number };
  readonly scorecard: readonly Row[];
}

/** Evaluates and compares ways to search over the sample collection, and shows what is still to judge. */
export async function runMethodDemo(stage: Stage): Promise<void> {
  await using service = await startTemporaryService(stage.environment);
  const client = createClient(service.url);
  print(`The service runs on ${service.url} with a store of its own that goes with this demo.`);
  print(`Its web pages are at ${service.url}/ui/ as long as the demo runs.`);
  await putConfigurations(client, stage);
  const evaluation = await evaluate(client, stage);
  printScorecard(evaluation);
  printSlices(evaluation);
  await printComparisons(client, stage);
  await printPool(client, evaluation.id);
  printCommands();
}

async function putConfigurations({ put }: Client, { configurations }: Stage): Promise<void> {
  for (const [name, body] of configurations) await put(`/v1/search-configurations/${name}`, body);
  const methods = [...configurations.keys()];
  print(`Stored ${methods.length} search configurations: ${methods.join(', ')}.`);
}

async function evaluate({ get, post }: Client, stage: Stage): Promise<Evaluation> {
  const configurations = [...stage.configurations.keys()];
  const request = { questionSet: 'sample', configurations, measures, label: 'demo' };
  const { id } = await post<{ id: string }>('/v1/eval', { ...request, sliceBy: ['kind', 'split'] });
  for (;;) {
    const found = await get<Evaluation>(`/v1/eval/${id}`);
    const { done, total } = found.progress;
    print(`Evaluation ${found.status}: ${done} of ${total} searches.`);
    if (found.status === 'succeeded') return found;
    if (found.status === 'failed') throw new Error('The evaluation failed');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

function printScorecard({ scorecard, questionSet }: Evaluation): void {
  print(`\nScorecard over question set ${questionSet.name}, version ${questionSet.version}`);
  const shown = [...measures, 'judged@10'];
  printTable(
    ['method', 'scored', 'empty', 'failed', 'unanswerable', 'unlabelled', 'leaks', ...shown],
    scorecard.map((row) => [
      row.configuration,
      ...['scored', 'empty', 'failed', 'unanswerable', 'unlabelled'].map((name) =>
        String(row.questions[name]),
      ),
      String(row.leaks.documents),
      ...shown.map((name) => toText(row.measures[name])),
    ]),
  );
  const warnings = new Map(
    scorecard[0]?.warnings.map((warning) => [warning.code, warning.message]),
  );
  for (const [code, message] of warnings) print(`  warning ${code}: ${message}`);
}

function printSlices({ scorecard }: Evaluation): void {
  print('\nnDCG@10 by kind of question');
  printSlice(scorecard, 'kind', ['identifier', 'paraphrase', 'mixed', 'policy']);
  print('\nnDCG@10 by split (the lexicon was written while looking at the tuning half only)');
  printSlice(scorecard, 'split', ['tuning', 'held-out']);
}

function printSlice(scorecard: readonly Row[], dimension: string, values: string[]): void {
  printTable(
    ['method', ...values],
    scorecard.map((row) => [
      row.configuration,
      ...values.map((value) => toText(row.slices[dimension]?.[value]?.measures['nDCG@10'])),
    ]),
  );
}

async function printComparisons({ post }: Client, stage: Stage): Promise<void> {
  const configurations = [...stage.configurations.keys()];
  const heldOut = await post<Evaluation>(
    '/v1/eval',
    { questionSet: 'sample', configurations, split: 'held-out' },
    { prefer: 'wait=30' },
  );
  print('\nIs the difference significant? On the held-out half:');
  for (const [baseline, candidate] of stage.comparisons) {
    const sides = { evaluation: heldOut.id, baseline, candidate };
    const request = { ...sides, measure: 'nDCG@10', seed: 7 };
    const { explanation } = await post<{ explanation: string }>('/v1/compare', request);
    print(`  ${explanation}`);
  }
}

interface Pool {
  readonly unjudged: number;
  readonly questions: readonly {
    readonly id: string;
    readonly text: string;
    readonly documents: readonly {
      readonly documentId: string;
      readonly title: string | null;
      readonly snippet: string | null;
      readonly retrievedBy: readonly { readonly configuration: string; readonly rank: number }[];
    }[];
  }[];
}

async function printPool({ post }: Client, id: string): Promise<void> {
  const pool = await post<Pool>('/v1/pool', { evaluation: id, depth: 3 });
  print(`\nStill to judge in the top 3 of any method: ${pool.unjudged} pairs. The first:`);
  const rows = pool.questions.flatMap((question) =>
    question.documents.map(({ documentId, title, snippet, retrievedBy }) => [
      question.id,
      shorten(question.text, 40),
      documentId,
      shorten(title ?? snippet ?? '', 40),
      retrievedBy.map(({ configuration, rank }) => `${configuration}:${rank}`).join(' '),
    ]),
  );
  printTable(
    ['question', 'text', 'document', 'title or text', 'found by'],
    rows.slice(0, 5),
    'left',
  );
}

function printCommands(): void {
  print('\nThe same by hand, after `npm start` in another shell:');
  const lines = [
    `api=http://localhost:8080/v1; json='content-type: application/json'`,
    'for method in hybrid rerank; do',
    '  curl -s -X PUT $api/search-configurations/$method -H "$json" -d @sample/configurations/$method.json',
    'done',
    'curl -s -X POST $api/eval -H "$json" -H "prefer: wait=30" \\',
    `  -d '{"questionSet":"sample","configurations":["hybrid","rerank"],"split":"held-out","sliceBy":["kind"]}'`,
    'id=...   # the "id" of the answer',
    'curl -s -X POST $api/compare -H "$json" \\',
    `  -d '{"evaluation":"'$id'","baseline":"hybrid","candidate":"rerank","measure":"nDCG@10","seed":7}'`,
    `curl -s -X POST $api/pool -H "$json" -d '{"evaluation":"'$id'","depth":3}'`,
    'curl -s $api/eval/$id/report',
  ];
  for (const line of lines) print(`  ${line}`);
}

function toText(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : value.toFixed(4);
}
