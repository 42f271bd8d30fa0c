import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { learn, type KnownValues } from './known-values.ts';
import type { Api, Operation, Schema } from './operations.ts';

export interface GivenAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export type AnswerCheck = (operation: Operation, answer: GivenAnswer) => readonly string[];

/** Words that only the inside of the service knows. */
const inside = /node_modules|\bat (?:async )?\S+ \(|\.[cm]?[jt]s:\d+|SQLITE|ERR_[A-Z]|kysely/;

/** What of an answer the document does not allow; nothing when it is right. */
export function createAnswerCheck(api: Api): AnswerCheck {
  const validatorOf = createValidators(api);
  return (operation, { statusCode, headers, body }) => {
    const type = typeOf(headers);
    const faults = inside.test(body) && statusCode >= 400 ? ['tells what is inside'] : [];
    if (statusCode === 500) return [...faults, 'is a 500'];
    if (statusCode === 304) return [...faults, ...listBodyFaults(body)];
    const known = operation.responses[statusCode] ?? operation.responses['default'];
    const content = known?.content;
    if (!known) return [...faults, `has the unknown status ${statusCode}`];
    if (operation.responses[statusCode] === undefined && statusCode < 400) {
      return [...faults, `succeeds with the unknown status ${statusCode}`];
    }
    if (!content) return [...faults, ...listBodyFaults(body)];
    if (!content[type]) return [...faults, `has the unknown type '${type}'`];
    return [...faults, ...checkBody({ type, body, isValid: validatorOf(content[type].schema) })];
  };
}

function typeOf(headers: GivenAnswer['headers']): string {
  const type = headers['content-type'];
  return typeof type === 'string' ? (type.split(';', 1)[0] ?? '') : '';
}

function listBodyFaults(body: string): readonly string[] {
  return body === '' ? [] : ['has a body that it must not have'];
}

function checkBody({
  type,
  body,
  isValid,
}: {
  readonly type: string;
  readonly body: string;
  readonly isValid: ValidateFunction;
}): readonly string[] {
  const isJson = type === 'application/json' || type === 'application/problem+json';
  try {
    const value: unknown = isJson ? JSON.parse(body) : body;
    if (type === 'application/x-ndjson') {
      for (const line of body.split('\n').filter(Boolean)) JSON.parse(line);
    }
    if (isValid(value)) return [];
    const [first] = isValid.errors ?? [];
    return [`does not fit its schema: ${first?.instancePath} ${first?.message}`];
  } catch {
    return ['is not the JSON that it says it is'];
  }
}

function createValidators({ components }: Api): (schema?: Schema) => ValidateFunction {
  // Every schema is read beside the components that it refers to.
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  const validators = new Map<Schema, ValidateFunction>();
  return (schema = {}) => {
    const found = validators.get(schema);
    if (found) return found;
    const made = ajv.compile({ ...schema, components: { schemas: components } });
    validators.set(schema, made);
    return made;
  };
}

/** Keeps what later requests can ask for. */
export function learnFrom({ statusCode, headers, body }: GivenAnswer, known: KnownValues): void {
  learn(known.entityTags, headers['etag']);
  if (statusCode >= 300 || typeOf(headers) !== 'application/json') return;
  const answer = JSON.parse(body) as Record<string, unknown>;
  learn(known.cursors, answer['nextCursor']);
  if ('status' in answer) learn(known.evaluations, answer['id']);
}
