import type { DocumentIdRule } from '../../model/document-id-rule.ts';
import { compileIdPattern } from './id-pattern.ts';

export interface ReadId {
  /** In composed Unicode (NFC); `null`: no rule gave an id. */
  readonly documentId: string | null;
  /** The id was the first of several values. */
  readonly hasOthers: boolean;
}

/**
 * Reads document ids by a list of rules, in their order: the first that gives an id that is not blank.
 * `listValues` says what stands where a rule looks.
 */
export function createIdReader<Source>(
  rules: readonly DocumentIdRule[],
  listValues: (rule: DocumentIdRule, source: Source) => readonly string[],
): (source: Source) => ReadId {
  const compiled = rules.map((rule) => ({
    rule,
    readId: rule.pattern === undefined ? takeWhole : compileIdPattern(rule.pattern),
  }));
  return (source) => {
    for (const { rule, readId } of compiled) {
      const values = listValues(rule, source);
      const ids = values.map((value) => readId(value.normalize('NFC'))?.normalize('NFC'));
      const documentId = ids.find((id) => id !== undefined && id.trim() !== '');
      if (documentId !== undefined) return { documentId, hasOthers: values.length > 1 };
    }
    return { documentId: null, hasOthers: false };
  };
}

function takeWhole(value: string): string {
  return value;
}
