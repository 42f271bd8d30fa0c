import { z } from 'zod';

/** What SAP says of an error, in whichever of its forms. */
export interface SapError {
  readonly message: string | undefined;
  readonly requestId: string | undefined;
  /** The module of the orchestration service that refused or failed. */
  readonly location: string | undefined;
}

/** SAP's texts are quoted up to here. */
const maxQuoted = 500;

/** Reads `{ error: { … } }`, or the first of a list there, the same fields at the top level, and OAuth's `error_description`. */
export function readSapError(body: unknown): SapError {
  const { error, ...flat } = Body.parse(body);
  const { message, requestId, request_id: snakeId, location, details } = error ?? flat;
  const reasons = (details ?? []).flatMap((detail) => detail?.message ?? []);
  const told = [message, flat.error_description, ...reasons].filter((text) => text !== undefined);
  const text = [...new Set(told)].join(' – ');
  return {
    message: text === '' ? undefined : redact(text),
    requestId: requestId ?? snakeId,
    location,
  };
}

/** Takes out what looks like a token, and what a caller knows to be private; keeps it to a readable length. */
export function redact(text: string, secrets: readonly string[] = []): string {
  const hidden = secrets
    .filter((secret) => secret.trim() !== '')
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  const clean = hidden.replace(tokenLike, '…');
  return clean.length > maxQuoted ? `${clean.slice(0, maxQuoted - 1).toWellFormed()}…` : clean;
}

/** What a body is that says nothing: never its text, which may hold anything. */
export function describeBody(body: unknown): string {
  if (body === undefined || body === null || body === '') return ' The response was empty.';
  if (typeof body === 'string') {
    const isPage = /^\s*<(!doctype|html|\?xml)/i.test(body);
    return isPage ? ' The response was a web page.' : ' The response was not JSON.';
  }
  const fields = typeof body === 'object' ? Object.keys(body).slice(0, 5) : [];
  return fields.length > 0 ? ` The response has the fields ${redact(fields.join(', '))}.` : '';
}

const tokenLike = /\b[Bb]earer\s+\S+|\beyJ[\w-]{5,}(\.[\w-]*){1,2}/g;

const Text = z.string().min(1).optional().catch(undefined);

const Fields = {
  message: Text,
  requestId: Text,
  request_id: Text,
  location: Text,
  error_description: Text,
  details: z
    .array(z.object({ message: Text }).optional().catch(undefined))
    .optional()
    .catch(undefined),
};

const Nested = z.union([z.object(Fields), z.array(z.object(Fields)).transform(([first]) => first)]);

const Body = z
  .object({ ...Fields, error: Nested.optional().catch(undefined) })
  .catch({ message: undefined } as never);
