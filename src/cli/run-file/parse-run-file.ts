import { isMap, isPair, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { z } from 'zod';

import { CommandError } from '../exit-codes.ts';
import { fillEnvironment } from './fill-environment.ts';
import { RunFile, toJsonSchema } from './run-file.ts';
import { findKnownKeys, suggestKey } from './suggest-key.ts';

type Path = readonly (string | number)[];

export interface ParsedRunFile {
  readonly file: RunFile;
  /** `grounding-eval.yaml:12:5: …` for a place in the file. */
  readonly tell: (path: Path, detail: string) => string;
}

/** Reads a file of YAML or JSON. Throws one error with the line and column of everything that is wrong. */
export function parseRunFile(
  text: string,
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): ParsedRunFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}, line ${line}, column ${col}`;
  };
  // The first one; most others follow from it.
  const [broken] = document.errors;
  if (broken) throw new CommandError(`${at(broken.pos[0])}: ${firstLine(broken.message)}`);
  const missing: string[] = [];
  visit(document, {
    Scalar(key, node) {
      // Keys are fixed names.
      if (key === 'key') return;
      const variable = fillEnvironment(node, environment);
      if (variable === undefined) return;
      missing.push(`${at(node.range?.[0] ?? 0)}: environment variable ${variable} is not set`);
    },
  });
  refuse(missing);
  const tell = (path: Path, detail: string) => `${at(findOffset(document, path))}: ${detail}`;
  const parsed = RunFile.safeParse(document.toJS() as unknown);
  if (parsed.success) return { file: parsed.data, tell };
  throw new CommandError(
    parsed.error.issues.flatMap((issue) => tellIssue(issue, [], tell)).join('\n'),
  );
}

function refuse(issues: readonly string[]): void {
  if (issues.length > 0) throw new CommandError(issues.join('\n'));
}

/** The parser adds a drawing of the place on lines of its own. */
function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}

function tellIssue(
  issue: z.core.$ZodIssue,
  parent: Path,
  tell: ParsedRunFile['tell'],
): readonly string[] {
  const path = [...parent, ...(issue.path as (string | number)[])];
  if (issue.code === 'unrecognized_keys') {
    const known = findKnownKeys(toJsonSchema(), path);
    return issue.keys.map((key) => {
      const near = suggestKey(key, known);
      const hint = near === undefined ? '' : `; did you mean '${near}'?`;
      return tell([...path, key], `unknown key '${key}'${hint}`);
    });
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const [nearest = []] = issue.errors.toSorted((a, b) => a.length - b.length);
    return nearest.flatMap((inner) => tellIssue(inner, path, tell));
  }
  const name = path.length > 0 ? `${path.join('.')} ` : '';
  return [tell(path, `${name}${describe(issue)}`)];
}

function describe({ code, message }: z.core.$ZodIssue): string {
  if (code !== 'invalid_type') return message;
  if (message.endsWith('received undefined')) return 'is missing';
  return message.replace(/^Invalid input: expected (\w+), received (\w+)$/, 'must be $1, not $2');
}

/** Where a value begins, or its key; of what is missing, where the thing begins that lacks it. */
function findOffset(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent =
      length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(last),
      );
      if (isPair(pair) && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
      continue;
    }
    const node = document.getIn(path.slice(0, length), true);
    const range = (node as { readonly range?: readonly number[] } | undefined)?.range;
    if (range) return range[0] ?? 0;
  }
  return 0;
}
