import { STATUS_CODES } from 'node:http';

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { AppError, type ErrorCode, type InputError } from '../errors.ts';
import type { Problem } from '../schemas/problem.ts';
import { isTransientError } from '../storage/database/transient-errors.ts';
import { createLingeringAnswer, isStillSending } from './answers/lingering-answer.ts';
import { watchMethods } from './known-methods.ts';
import { listIssues } from './bodies/validation-issues.ts';
import { suggestPath } from './suggest-path.ts';

/** The one place where an error code meets HTTP. */
const statusByCode = {
  'invalid-input': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-allowed': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  conflict: 409,
  'precondition-failed': 412,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  'too-many-evaluations': 429,
  'too-many-questions': 409,
  unavailable: 503,
  'unknown-user': 422,
  'not-in-rankings': 422,
  'retriever-failed': 502,
  'sign-in-unavailable': 503,
  'retriever-timeout': 504,
  'broken-row': 500,
} as const satisfies Record<ErrorCode, number>;

/** `Retry-After` while the database cannot be used. */
const databaseRetrySeconds = 5;

/** Answers every error, and every unknown route, with problem details. Comes before all routes. */
export function setProblemHandlers(app: FastifyInstance): void {
  const findMethods = watchMethods(app);
  app.setErrorHandler<FastifyError | AppError>((thrown, request, reply) => {
    const error = toUnavailable(thrown);
    const problem = toProblem(error, request);
    const isAbandoned = request.raw.destroyed && !request.raw.complete;
    if (isAbandoned) request.log.info('client disconnected before its request was read');
    else if (problem.status >= 500) request.log.error({ err: error }, 'request failed');
    if (error instanceof AppError && error.details['retryAfterSeconds'] !== undefined) {
      reply.header('retry-after', Number(error.details['retryAfterSeconds']));
    }
    return sendProblem(reply, problem);
  });

  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    const methods = findMethods(path);
    const isKnown = methods.length > 0;
    if (isKnown) reply.header('allow', methods.join(', '));
    const code = isKnown ? 'method-not-allowed' : 'not-found';
    const detail = isKnown
      ? `${path} supports ${methods.join(' or ')}, not ${request.method}`
      : `${request.method} ${path} does not exist${suggestPath(path)}`;
    return sendProblem(reply, createProblem(request, { status: statusByCode[code], code, detail }));
  });
}

/** Answers what fails before a route is found: a malformed address, or one whose parts are too long. */
export function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { statusCode: status = 400, message: detail } = error;
  void sendProblem(reply, createProblem(request, { status, code: codeOf(status), detail }));
}

/** The database refused for now: it is away, full, too slow or out of connections. */
function toUnavailable(error: FastifyError | AppError): FastifyError | AppError {
  if (error instanceof AppError || !isTransientError(error)) return error;
  const message = 'The database cannot be used at the moment; send the request again later';
  const details = { retryAfterSeconds: databaseRetrySeconds };
  return new AppError('unavailable', message, { cause: error, details });
}

function toProblem(error: FastifyError | AppError, request: FastifyRequest): Problem {
  if (error instanceof AppError) {
    const { code, message: detail, details } = error;
    const problem = createProblem(request, { status: statusByCode[code], code, detail });
    const errors = details['errors'] as InputError[] | undefined;
    const total = details['total'] as number | undefined;
    return { ...problem, ...(errors && { errors }), ...(total !== undefined && { total }) };
  }
  if (error.validation) {
    const errors = listIssues(error.validation, error.validationContext ?? 'body');
    const detail = errors[0]
      ? `The request does not match its schema: ${errors[0].pointer} ${errors[0].detail}`
      : 'The request does not match its schema';
    return { ...createProblem(request, { status: 400, code: 'invalid-input', detail }), errors };
  }
  const { statusCode: status = 500 } = error;
  if (status >= 400 && status < 500) {
    const detail = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? tooLarge(request) : error.message;
    return createProblem(request, { status, code: codeOf(status), detail });
  }
  const detail = 'Internal error; see the log of the service';
  return createProblem(request, { status: 500, code: 'internal', detail });
}

function tooLarge({ routeOptions }: FastifyRequest): string {
  const mebibytes = Number(((routeOptions.bodyLimit ?? 0) / 2 ** 20).toPrecision(3));
  return `The body is larger than the limit of ${mebibytes} MiB`;
}

/** Fastify's own refusals: a body that is too large, of another type, a malformed request. */
function codeOf(status: number): ErrorCode {
  if (status === 413) return 'body-too-large';
  return status === 415 ? 'unsupported-media-type' : 'invalid-input';
}

function createProblem(
  request: FastifyRequest,
  { status, code, detail }: { status: number; code: ErrorCode | 'internal'; detail: string },
): Problem {
  return {
    type: `urn:problem:grounding-eval:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    instance: `urn:request:${request.id}`,
  };
}

/** The sender of a refused upload gets the answer at once, and its connection is closed a moment later. */
function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.code(problem.status).type('application/problem+json');
  const request = reply.request.raw;
  if (!request.complete) reply.header('connection', 'close');
  if (!isStillSending(request)) return reply.send(problem);
  const text = JSON.stringify(problem);
  reply.header('content-length', Buffer.byteLength(text));
  return reply.send(createLingeringAnswer(text, request));
}
