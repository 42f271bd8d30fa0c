import { readFile } from 'node:fs/promises';

import { startAiCoreStub } from 'grounding-eval-testing';
import { createClient, type Client } from './client.ts';
import type { Ablation, Curve, Diagnosis, Pareto, Result } from './funnel-answers.ts';
import { print, printTable, shorten } from './print.ts';
import { createStandInModel } from './stand-in-model.ts';
import { startTemporaryService } from './service.ts';

const measure = 'nDCG@10';
const configuration = 'funnel';

/** Evaluates a search with a rewriting and a re-ranking stage, each on and off, and shows what they did to whom. */
export async function runPipelineDemo(): Promise<void> {
  const terms = await readJson<Record<string, string>>('sample/glossary.json');
  const stub = await startAiCoreStub({ corpus: [], reply: createStandInModel(terms) });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => stub.close());
  await using service = await startTemporaryService({ AICORE_SERVICE_KEY: stub.serviceKey });
  const client = createClient(service.url);
  print(`The service runs on ${service.url} with a store of its own that goes with this demo.`);
  const prices = {
    currency: 'EUR',
    perSearch: 0.002,
    perRerankedPair: 0.00002,
    perModelCall: 0,
    models: { 'stand-in': { per1000PromptTokens: 0.0004, per1000CompletionTokens: 0.0016 } },
  };
  await client.put('/v1/prices', prices);
  print(`Made-up prices: ${JSON.stringify(prices)}`);
  const glossary = { type: 'glossary', terms };
  const stages = { rewrite: glossary, candidates: 20, rerank: { type: 'lexical' } };
  const id = await evaluate(client, stages);
  const ablation = await readAblation(client, id);
  print(
    '\nThe funnel with each stage on and off, over held-out questions: nobody looked at them when the',
  );
  print('glossary and the lexicon were written.');
  printVariants(ablation);
  printSteps(ablation);
  await printQuestions(client, id, ablation);
  await printDiagnoses(client, id, ablation);
  await printCurve(client, id);
  await printPareto(client, id);
  await printModelStages(client);
}

/** The same with stages that ask a model over HTTP, as they would ask SAP's orchestration service. */
async function printModelStages(client: Client): Promise<void> {
  const model = { type: 'llm', model: 'stand-in' };
  const stages = { rewrite: { ...model, versions: 1 }, candidates: 20, rerank: model };
  const id = await evaluate(client, stages);
  print(
    '\nWith a language model for both stages. A stand-in on this machine plays it by rule, so that only',
  );
  print('calls, tokens and cost mean anything here:');
  printVariants(await readAblation(client, id));
}

function readAblation({ get }: Client, id: string): Promise<Ablation> {
  return get(`/v1/eval/${id}/ablation?configuration=${configuration}&measure=${measure}`);
}

async function readJson<Value>(path: string): Promise<Value> {
  return JSON.parse(await readFile(path, 'utf8')) as Value;
}

async function evaluate({ get, post }: Client, pipeline: object): Promise<string> {
  const bm25 = await readJson<object>('sample/configurations/bm25.json');
  const request = {
    questionSet: 'sample',
    // The glossary and the lexicon were written while looking at the other half.
    split: 'held-out',
    configurations: [{ name: configuration, ...bm25, pipeline }],
    measures: [measure, 'R@10'],
    ablate: true,
    diagnose: true,
  };
  const { id } = await post<{ id: string }>('/v1/eval', request);
  for (;;) {
    const { status } = await get<{ status: string }>(`/v1/eval/${id}`);
    if (status === 'succeeded') return id;
    if (status === 'failed') throw new Error('The evaluation failed');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function printVariants({ variants, questions }: Ablation): void {
  const { k, relevant } = variants[0]?.funnel ?? { k: 0, relevant: 0 };
  print(
    `${questions} questions, ${relevant} relevant documents: how many are found at all, and in the top ${k}?`,
  );
  printTable(
    ['variant', measure, 'found', `top ${k}`, 'p95 ms', 'calls/question', 'EUR/question'],
    variants.map(({ variant, mean, funnel, latencyP95Ms, callsPerQuestion, costPerQuestion }) => [
      variant,
      mean.toFixed(4),
      String(funnel.found),
      String(funnel.inTopK),
      toText(latencyP95Ms, 2),
      toText(callsPerQuestion, 2),
      toText(costPerQuestion, 5),
    ]),
  );
}

function printSteps({ steps }: Ablation): void {
  print('\nWhat each stage did, without and with the other:');
  printTable(
    ['stage', 'from', 'to', `${measure} change`, '95 % interval', 'gained', 'lost'],
    steps.map(({ stage, from, to, meanDifference, interval, gained, lost }) => [
      stage,
      from,
      to,
      toSigned(meanDifference),
      interval ? `${toSigned(interval.low)} to ${toSigned(interval.high)}` : '-',
      String(gained.count),
      String(lost.count),
    ]),
  );
}

/** The question of each kind that changed most. */
async function printQuestions(client: Client, id: string, { steps, variants }: Ablation) {
  const find = (to: string) => steps.find((step) => step.from === 'plain' && step.to === to);
  const shown = [
    ['Repaired by rewriting', '+rewrite', find('+rewrite')?.gained],
    ['Repaired by re-ranking', '+rerank', find('+rerank')?.gained],
    ['Made worse by re-ranking', '+rerank', find('+rerank')?.lost],
  ] as const;
  for (const [title, variant, changed] of shown) {
    const [question] = changed?.questions ?? [];
    print(`\n${title}: ${question ? `${question.id} "${question.text}"` : 'no question'}`);
    if (!question) continue;
    const nameOf = (wanted: string) => variants.find((each) => each.variant === wanted);
    const rows = [];
    for (const each of ['plain', variant]) {
      const results = await listResults(client, id, nameOf(each)?.configuration ?? '');
      const result = results.find((one) => one.id === question.id);
      if (result) rows.push(toRow(each, result, each === 'plain' ? question.from : question.to));
    }
    printTable(['', measure, 'rank of answers', 'searched as', 'cost'], rows, 'left');
  }
}

async function listResults({ get }: Client, id: string, name: string): Promise<readonly Result[]> {
  const path = `/v1/eval/${id}/questions?configuration=${name}&limit=1000`;
  return (await get<{ items: readonly Result[] }>(path)).items;
}

function toRow(variant: string, { ranking, pipeline, text }: Result, value: number): string[] {
  const ranks = ranking.flatMap(({ grade }, index) => ((grade ?? 0) > 0 ? [index + 1] : []));
  const versions = pipeline.versions.map((version) => version.text ?? text);
  const sum = (read: (stage: Result['pipeline']['stages'][number]) => number) =>
    pipeline.stages.reduce((total, stage) => total + read(stage), 0);
  const cost = [
    `searches ${sum(({ searches }) => searches)}`,
    `pairs ${sum(({ pairsReranked }) => pairsReranked)}`,
    `${sum(({ latencyMs }) => latencyMs).toFixed(2)} ms`,
  ];
  return [
    variant,
    value.toFixed(4),
    ranks.length > 0 ? ranks.join(', ') : 'not found',
    versions.map((version) => `"${shorten(version, 60)}"`).join(' + '),
    cost.join(', '),
  ];
}

async function printDiagnoses({ get }: Client, id: string, { variants }: Ablation): Promise<void> {
  print('\nAt which step is a relevant document lost?');
  const diagnoses = new Map<string, Diagnosis>();
  for (const { variant, configuration: name } of variants) {
    diagnoses.set(variant, await get(`/v1/eval/${id}/diagnosis?configuration=${name}`));
  }
  const causes = Object.keys([...diagnoses.values()][0]?.causes ?? {});
  printTable(
    ['variant', 'relevant', 'lost', ...causes],
    [...diagnoses].map(([variant, { relevant, lost, causes: counts }]) => [
      variant,
      String(relevant),
      String(lost),
      ...causes.map((cause) => String(counts[cause]?.documents ?? 0)),
    ]),
  );
  print('What follows for all stages together:');
  for (const sentence of diagnoses.get('+both')?.advice ?? []) print(`  - ${sentence}`);
}

async function printCurve({ get }: Client, id: string): Promise<void> {
  const query = `configuration=${configuration}.plain&measure=${measure}&depth=50`;
  const { curves } = await get<Curve>(`/v1/eval/${id}/depth-curve?${query}`);
  const [curve] = curves;
  if (!curve) return;
  const depths = [1, 2, 3, 5, 8, 10, 15, 20, 30, 50];
  const at = (values: readonly number[]) => depths.map((n) => (values[n - 1] ?? 0).toFixed(4));
  print(`\n${measure} of the plain search if only its first N documents were kept:`);
  printTable(
    ['N', ...depths.map(String)],
    [
      ['as ranked', ...at(curve.kept.values)],
      ['perfect re-ranker', ...at(curve.oracle.values)],
    ],
  );
  const { knee } = curve.oracle;
  if (!knee) return;
  print(`  The perfect re-ranker's line bends at N = ${knee.n}: beyond it candidates buy little.`);
}

async function printPareto({ get }: Client, id: string): Promise<void> {
  const path = `/v1/eval/${id}/pareto?measure=${measure}&against=calls&against=cost`;
  const { configurations } = await get<Pareto>(path);
  print('\nQuality against calls and cost:');
  printTable(
    ['configuration', measure, '95 % interval', 'calls/question', 'EUR/question', 'verdict'],
    configurations.map((each) => [
      each.configuration,
      each.quality.toFixed(4),
      `${each.interval.low.toFixed(4)} to ${each.interval.high.toFixed(4)}`,
      each.callsPerQuestion.toFixed(2),
      toText(each.costPerQuestion, 5),
      each.isOnFront === true
        ? 'none is both better and cheaper'
        : `no worse, and better or cheaper: ${each.dominatedBy.join(', ')}`,
    ]),
  );
}

function toText(value: number | null, digits: number): string {
  return value === null ? 'unknown' : value.toFixed(digits);
}

function toSigned(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(4)}`;
}
