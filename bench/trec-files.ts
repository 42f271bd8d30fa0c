import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface TrecFiles {
  readonly qrels: string;
  readonly runs: readonly string[];
}

const judgedAQuestion = 20;
const documentsAQuestion = 100;

/** Writes qrels of 20 judgments and two runs of 100 documents a question; about a fifth of what a run found is judged. */
export function writeTrecFiles(
  folder: string,
  { questions, order }: { readonly questions: number; readonly order: 'sorted' | 'shuffled' },
): TrecFiles {
  mkdirSync(folder, { recursive: true });
  const write = (
    name: string,
    perQuestion: number,
    toLine: (question: number, index: number) => string,
  ) => {
    const path = join(folder, name);
    const places = orderOf(questions * perQuestion, order);
    writeLines(path, places, (place) =>
      toLine(Math.floor(place / perQuestion), place % perQuestion),
    );
    return path;
  };
  const random = createRandom(1);
  const qrels = write(
    'qrels.txt',
    judgedAQuestion,
    (question, index) => `question-${question} 0 ${toId(question, index * 5)} ${random(4)}`,
  );
  const runs = [1, 2].map((seed) =>
    write(`run-${seed}.txt`, documentsAQuestion, (question, index) => {
      const score = (documentsAQuestion - index + random(40_000) / 1000).toFixed(4);
      return `question-${question} Q0 ${toId(question, (index * (seed === 1 ? 1 : 7)) % documentsAQuestion)} ${index + 1} ${score} made`;
    }),
  );
  return { qrels, runs };
}

function toId(question: number, index: number): string {
  return `document-${(question * 7919 + index * 104_729) % 1_000_000}`;
}

function orderOf(count: number, order: 'sorted' | 'shuffled'): Uint32Array {
  const places = Uint32Array.from({ length: count }, (_, place) => place);
  if (order === 'sorted') return places;
  const random = createRandom(2);
  for (let left = count - 1; left > 0; left -= 1) {
    const other = random(left + 1);
    [places[left], places[other]] = [places[other] ?? 0, places[left] ?? 0];
  }
  return places;
}

function writeLines(path: string, places: Uint32Array, toLine: (place: number) => string): void {
  const file = openSync(path, 'w');
  let text = '';
  for (const place of places) {
    text += `${toLine(place)}\n`;
    if (text.length < 1_000_000) continue;
    writeSync(file, text);
    text = '';
  }
  writeSync(file, text);
  closeSync(file);
}

/** Mulberry32. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
