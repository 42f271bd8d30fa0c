import { ask, type Schemas } from './client.ts';

/** What a file holds: questions, judgments of any format, or a pool with grades. */
export type ImportKind = 'questions' | 'qrels' | 'pool';
export type Preview = Schemas['ImportPreview'];

interface Sending {
  readonly kind: ImportKind;
  readonly preview?: boolean;
  readonly judge?: string | undefined;
  readonly judgments?: 'merge' | undefined;
}

/** Sends a file as it is: the service finds out its format. */
export function sendFile(
  set: string,
  file: Blob & { readonly name: string },
  { kind, preview = false, judge, judgments }: Sending,
): Promise<unknown> {
  const given = { judge, judgments, preview: preview ? 'true' : undefined };
  const query = new URLSearchParams(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const parts = { questions: '', qrels: '/qrels', pool: '/judgments' } as const;
  const url = `/v1/question-sets/${encodeURIComponent(set)}${parts[kind]}?${query}`;
  const type = kind === 'pool' ? 'text/csv' : typeOfFile(file.name);
  const method = kind === 'pool' ? 'POST' : 'PUT';
  return ask(readJson(fetch(url, { method, headers: { 'content-type': type }, body: file })));
}

const types: Readonly<Record<string, string>> = {
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
};

/** By the end of its name; else the content decides. */
export function typeOfFile(name: string): string {
  return types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}

/** Saves an answer of the service as a file. */
export async function download(url: string, accept: string, name: string): Promise<void> {
  const response = await fetch(url, { headers: { accept } });
  if (!response.ok) await ask(readJson(Promise.resolve(response)));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The first questions of a set, which may be too large to hold, and whether there are more. */
export async function readQuestions(
  set: string,
  most: number,
  signal: AbortSignal,
): Promise<{ readonly questions: readonly Schemas['Question'][]; readonly hasMore: boolean }> {
  const url = `/v1/question-sets/${encodeURIComponent(set)}`;
  const response = await fetch(url, { headers: { accept: 'application/x-ndjson' }, signal });
  if (!response.ok || !response.body) {
    await ask(readJson(Promise.resolve(response)));
    return { questions: [], hasMore: false };
  }
  const questions: Schemas['Question'][] = [];
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + next.value).split('\n');
    rest = lines.pop() ?? '';
    questions.push(...lines.map((line) => JSON.parse(line) as Schemas['Question']));
    if (questions.length <= most) continue;
    await reader.cancel();
    return { questions: questions.slice(0, most), hasMore: true };
  }
  return { questions, hasMore: false };
}

async function readJson(answer: Promise<Response>) {
  const response = await answer;
  const body: unknown = await response.json();
  return response.ok ? { data: body, response } : { error: body, response };
}
