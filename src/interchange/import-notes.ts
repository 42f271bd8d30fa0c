import { nameSome, warnIf, type Warning } from '../model/warnings.ts';

/** What a reader changed or left out, gathered while it reads. */
export interface ImportNotes {
  /** An id as it stood in the file; it comes back without blanks around it. */
  readonly trim: (id: string) => string;
  /** A value that a mapping made a grade of. */
  readonly countMapped: () => void;
  /** A question that came without a judgment in a file of judgments. */
  readonly addUngraded: (questionId: string) => void;
  /** A line that says again what another says. */
  readonly addRepeated: (what: string) => void;
  /** A question whose documents came without grades. */
  readonly addPlain: (questionId: string) => void;
  /** A question of which the file has an id and no text. */
  readonly addTextless: (questionId: string) => void;
  readonly ignoreColumns: (names: readonly string[]) => void;
  readonly countDroppedMetadata: () => void;
  readonly toWarnings: () => readonly Warning[];
}

/** White space and characters without width, which no eye sees at the ends of an id. */
const invisible = /^[\s\u180E\u200B-\u200F\u2060\uFEFF]+|[\s\u180E\u200B-\u200F\u2060\uFEFF]+$/gu;

const mostKept = 1000;

export function createImportNotes(): ImportNotes {
  const trimmed = createCounter();
  const ungraded = createCounter();
  const repeated = createCounter();
  const plain = createCounter();
  const textless = createCounter();
  const columns = new Set<string>();
  let mapped = 0;
  let metadata = 0;
  return {
    trim(id) {
      const clean = id.replace(invisible, '');
      if (clean !== id) trimmed.add(clean);
      return clean;
    },
    countMapped: () => void (mapped += 1),
    addUngraded: ungraded.add,
    addRepeated: repeated.add,
    addPlain: plain.add,
    addTextless: textless.add,
    ignoreColumns: (names) => names.forEach((name) => columns.add(name.trim())),
    countDroppedMetadata: () => void (metadata += 1),
    toWarnings: () => [
      ...warnIf(trimmed.count(), {
        code: 'trimmed-ids',
        message: `Blanks or invisible characters around ids were removed: ${trimmed.name()}`,
      }),
      ...warnIf(ungraded.count(), {
        code: 'rows-without-grade',
        message: `Rows without a grade make no judgment: ${ungraded.name()}`,
      }),
      ...warnIf(repeated.count(), {
        code: 'repeated-lines',
        message: `What the file says twice counts once: ${repeated.name()}`,
      }),
      ...warnIf(plain.count(), {
        code: 'no-grade-column',
        message: `The file has no grades: every document that it lists counts with grade 1 (${plain.name()})`,
      }),
      ...warnIf(textless.count(), {
        code: 'no-question-text',
        message: `The file has no text of these questions, so that each has its id as text: ${textless.name()}`,
      }),
      ...warnIf(mapped, {
        code: 'mapped-grades',
        message: `Grades were made from ${mapped} values as ?grades= says`,
      }),
      ...warnIf(columns.size, {
        code: 'ignored-columns',
        message: `Nothing is stored of these columns: ${nameSome(columns)}`,
      }),
      ...warnIf(metadata, {
        code: 'dropped-metadata',
        message: 'Metadata of questions are not stored',
      }),
    ],
  };
}

/** Counts different names and keeps a bounded number of them. */
function createCounter(): {
  readonly add: (name: string) => void;
  readonly count: () => number;
  readonly name: () => string;
} {
  const names = new Set<string>();
  let more = 0;
  return {
    add(name) {
      if (names.has(name)) return;
      if (names.size < mostKept) names.add(name);
      else more += 1;
    },
    count: () => names.size + more,
    name: () => nameSome(names),
  };
}
