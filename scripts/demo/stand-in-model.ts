import type { StubPrompt } from 'grounding-eval-testing';

/**
 * Plays the language model by rule, so that the demo needs none: it rewords by a glossary and orders passages by
 * the share of the question's words that they hold. It shows what calls and tokens cost, not what a model can do.
 */
export function createStandInModel(
  terms: Readonly<Record<string, string>>,
): (prompt: StubPrompt) => string {
  const known = new Map(Object.entries(terms).map(([word, other]) => [word.toLowerCase(), other]));
  return ({ messages }) => {
    const text = messages.map(({ content }) => content).join('\n');
    const question = readBetween(text, 'question');
    const passages = [...readBetween(text, 'passages').matchAll(/^\[(\d+)\] (.*)$/gm)];
    if (passages.length === 0) return reword(question, known);
    const words = new Set(toWords(question));
    const scored = passages.map(([, number = '', passage = '']) => ({
      number,
      score: new Set(toWords(passage).filter((word) => words.has(word))).size,
    }));
    const order = scored.toSorted((a, b) => b.score - a.score);
    return order.map(({ number }) => `[${number}]`).join(' > ');
  };
}

function reword(question: string, terms: ReadonlyMap<string, string>): string {
  const words = question.trim().split(/\s+/);
  return words.map((word) => terms.get(word.toLowerCase()) ?? word).join(' ');
}

/** What the last such pair of tags holds: the instruction names the tags too. */
function readBetween(text: string, tag: string): string {
  const end = text.lastIndexOf(`</${tag}>`);
  const start = text.lastIndexOf(`<${tag}>`, end);
  return start === -1 || end === -1 ? '' : text.slice(start + tag.length + 2, end);
}

function toWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
