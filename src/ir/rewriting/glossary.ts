import { normalizeWord } from '../tokenize.ts';

/** Replacements by word, in the form that questions are looked up in. */
export type Glossary = ReadonlyMap<string, string>;

export function createGlossary(terms: Readonly<Record<string, string>>): Glossary {
  const entries = Object.entries(terms);
  return new Map(entries.map(([word, replacement]) => [toKey(word), replacement]));
}

/**
 * The question with each word of the glossary replaced, whatever its case, and words and marks set apart by
 * single spaces. Words that are replaced are not looked up again. Undefined: no word is in the glossary.
 */
export function rewriteByGlossary(question: string, glossary: Glossary): string | undefined {
  const parts = splitWords(question);
  const replaced = parts.map((part) => glossary.get(toKey(part)) ?? part);
  if (parts.every((part) => !glossary.has(toKey(part)))) return undefined;
  return replaced.join(' ');
}

/** Whether a text is one word, by the rule that splits questions. */
export function isOneWord(text: string): boolean {
  const parts = splitWords(text);
  return parts.length === 1 && parts[0] === text && startsWord.test(text);
}

function splitWords(text: string): readonly string[] {
  return text.match(wordOrMarks) ?? [];
}

function toKey(word: string): string {
  return normalizeWord(word).replaceAll('’', "'");
}

// Apostrophes, hyphens, slashes, dots and underscores hold a word together: can't, PRC-112, 4.5.
const wordOrMarks = /[\p{L}\p{M}\p{N}]+(?:['’./_-][\p{L}\p{M}\p{N}]+)*|[^\s\p{L}\p{M}\p{N}]+/gu;
const startsWord = /^[\p{L}\p{M}\p{N}]/u;
