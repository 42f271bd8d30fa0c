/**
 * The wordings in a model's reply, one a line, each once: numbering, bullets and quotation marks are taken off,
 * and lines that announce a list, hold no word or are too long to be a question are left out.
 */
export function readReplyLines(reply: string, maxLength: number): readonly string[] {
  const seen = new Set<string>();
  return reply
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(stripMarks)
    .filter((line) => line.length <= maxLength && hasWord.test(line) && !framing.test(line))
    .filter((line) => seen.size < seen.add(toWording(line)).size);
}

/** What two wordings have in common that differ in case and spaces alone. */
export function toWording(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

function stripMarks(line: string): string {
  const text = line.trim().replace(listMark, '').trim();
  const quoted = /^(["'“”„«`*]{1,3})(.+?)["'“”»`*]{1,3}$/.exec(text);
  return (quoted?.[2] ?? text).trim();
}

const hasWord = /[\p{L}\p{N}]/u;
// What announces a list, or fences it.
const framing = /:$|^```/;
// A number is a mark only with a sign behind it: "4500017311 status" and "3 way match" are questions.
const listMark = /^(?:(?:[-*+•‣◦–—]|\(?\d{1,2}[.):\]]|[a-z]\))(?:\s+|$)|\[\d{1,2}\]\s*)/i;
