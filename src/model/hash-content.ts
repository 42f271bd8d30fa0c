import { createHash } from 'node:crypto';

import type { Question } from './question.ts';
import { createYieldToEventLoop } from '../yield-to-event-loop.ts';

/** SHA-256 in hex of a value's JSON. Objects must be given with their keys in a fixed order. */
export function hashJson(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** SHA-256 over parts that have no order of their own, such as the documents of a corpus. */
export function hashUnordered(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts.toSorted()) hash.update(part).update('\n');
  return hash.digest('hex');
}

export interface UnorderedHash {
  /** Takes a SHA-256 in hex. */
  readonly add: (part: string) => void;
  /** Takes a part out that was added. */
  readonly remove: (part: string) => void;
  readonly digest: () => Promise<string>;
}

/**
 * The value of `hashUnordered` over any number of hashes, without holding up the process. Hashes spread
 * evenly over their beginnings, so that those with one beginning are few and sorted at once.
 */
export function createUnorderedHash(): UnorderedHash {
  const byBeginning = new Map<string, string[]>();
  return {
    add(part) {
      const beginning = part.slice(0, 2);
      const parts = byBeginning.get(beginning);
      if (parts) parts.push(part);
      else byBeginning.set(beginning, [part]);
    },
    remove(part) {
      const parts = byBeginning.get(part.slice(0, 2)) ?? [];
      const place = parts.indexOf(part);
      if (place !== -1) parts.splice(place, 1);
    },
    async digest() {
      const hash = createHash('sha256');
      const yieldToEventLoop = createYieldToEventLoop();
      for (const beginning of [...byBeginning.keys()].toSorted()) {
        const parts = (byBeginning.get(beginning) ?? []).toSorted();
        if (parts.length > 0) hash.update(`${parts.join('\n')}\n`);
        await yieldToEventLoop();
      }
      return hash.digest('hex');
    },
  };
}

/** What a question means for a measurement: text, conversation, attributes and grades, not who judged when. */
export function hashQuestion(question: Question): string {
  const { id, text, kind, process, language, user, split, answerable, history } = question;
  const grades = question.judgments.map(({ documentId, grade }) => [documentId, grade] as const);
  return hashJson([
    id,
    text,
    kind ?? null,
    process ?? null,
    language ?? null,
    user ?? null,
    split ?? null,
    question.tags.toSorted(),
    answerable,
    question.forbidden.toSorted(),
    grades.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    // Last, and only where there is one: questions without keep the hash they always had.
    ...(history ? [history.map(({ role, text: turn }) => [role, turn])] : []),
  ]);
}

/** As `hashJson`, whatever the order of the keys is. */
export function hashCanonical(value: unknown): string {
  return hashJson(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sortKeys(inner)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
