import { randomUUID } from 'node:crypto';

const titles: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  403: 'Not allowed.',
  404: 'Not found.',
  422: 'Validation failed.',
  429: 'Too many requests.',
  500: 'Internal Server Error',
};

/** The form of errors that come from in front of the grounding service: fields at the top level. */
export interface FlatError {
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  readonly details: readonly { readonly code: string; readonly message: string }[];
}

/** The form of the grounding service's own errors. */
export interface NestedError {
  readonly error: FlatError & { readonly target: string };
}

export function flatError(status: number, ...details: readonly string[]): FlatError {
  const code = String(status);
  return {
    code,
    message: titles[status] ?? 'The request failed.',
    requestId: randomUUID(),
    details: details.map((message) => ({ code, message })),
  };
}

/** `target` is the path that was asked. */
export function nestedError(
  status: number,
  target: string,
  ...details: readonly string[]
): NestedError {
  const { code, message, requestId, details: listed } = flatError(status, ...details);
  return { error: { code, message, requestId, target, details: listed } };
}
