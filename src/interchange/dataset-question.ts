import type { JsonNode } from './json-node.ts';

/** One question of a dataset of another tool. Grades and scores are as the file has them. */
export interface DatasetQuestion {
  readonly id: string;
  /** Undefined: the file has an id alone. */
  readonly text: string | undefined;
  readonly judgments: readonly Judged[];
  /** Undefined: the file has no run. */
  readonly hits: readonly Found[] | undefined;
  readonly pointer: string;
}

export interface Judged {
  readonly documentId: string;
  /** Undefined: the document is listed as relevant, without a grade. */
  readonly grade: string | undefined;
  readonly pointer: string;
}

export interface Found {
  readonly documentId: string;
  /** Undefined: the order of the list counts. */
  readonly score: number | undefined;
  readonly pointer: string;
}

/** A document that a list names as relevant. */
export function toListed(node: JsonNode): Judged {
  return { documentId: node.text(), grade: undefined, pointer: node.pointer };
}
