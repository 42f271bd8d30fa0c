import { readFile } from 'node:fs/promises';

import type { Client } from '../scripts/demo/client.ts';

/** Stores the sample's questions over and over, each under an id of its own, and configurations of the sample. */
export async function putManyQuestions(
  { put }: Client,
  { count, configurations }: { readonly count: number; readonly configurations: readonly string[] },
): Promise<void> {
  const lines = (await readFile('sample/questions.ndjson', 'utf8')).trimEnd().split('\n');
  const sample = lines.map((line) => JSON.parse(line) as { id: string });
  const many = Array.from({ length: count }, (_, index) => {
    const question = sample[index % sample.length];
    return { ...question, id: `${question?.id}-${index}` };
  });
  await put('/v1/question-sets/many', { questions: many });
  for (const name of configurations) {
    const file = await readFile(`sample/configurations/${name}.json`, 'utf8');
    await put(`/v1/search-configurations/${name}`, JSON.parse(file));
  }
}
