import { html, type TemplateResult } from 'lit';

/** A word of the question is marked wherever a word of the text begins with it; short words say nothing. */
const minLength = 4;

/** A text with the words of a question marked. It stays text: nothing in it is markup. */
export function markWords(text: string, question: string): readonly (string | TemplateResult)[] {
  const wanted = (question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => word.length >= minLength,
  );
  const parts = text.split(/([\p{L}\p{N}]+)/u);
  return parts.map((part) => {
    const word = part.toLowerCase();
    const isWanted =
      word.length >= minLength &&
      wanted.some((each) => word.startsWith(each) || each.startsWith(word));
    return isWanted ? html`<mark>${part}</mark>` : part;
  });
}
