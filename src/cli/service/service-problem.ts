import { CommandError, exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Answer, Call } from './service.ts';

/** The parts of a problem that commands read. */
interface Problem {
  readonly detail?: string;
  readonly title?: string;
  readonly type?: string;
  readonly errors?: readonly ProblemError[];
}

interface ProblemError {
  readonly pointer: string;
  readonly line?: number;
  readonly detail: string;
}

/** What the service refused, in the words for somebody who gave a file: `main.trec, line 12: 3 columns`. */
export class ServiceProblem extends CommandError {
  readonly status: number;
  readonly errors: readonly ProblemError[];
  /** Whether it is about a file that was sent as it is. */
  readonly isOfFile: boolean;

  constructor({ status, body }: Answer, call: Call) {
    const problem = parseProblem(body);
    const { errors = [] } = problem;
    const detail = problem.detail ?? problem.title ?? `HTTP status ${status}`;
    super(tell(detail, errors, call), toExitCode(status));
    this.status = status;
    this.errors = errors;
    this.isOfFile = call.body !== undefined && 'name' in call.body;
  }
}

function toExitCode(status: number): ExitCode {
  const isRefusal = status === 401 || status === 403 || status === 429 || status >= 500;
  return isRefusal ? exitCodes.notReached : exitCodes.wrongInput;
}

/** The most places that are printed; the first ones lead to the cause. */
const maxTold = 20;

function tell(detail: string, errors: readonly ProblemError[], { body }: Call): string {
  const file = body && 'name' in body ? body.name : undefined;
  if (errors.length === 0) return file === undefined ? detail : `${file}: ${detail}`;
  const told = errors.slice(0, maxTold).map((error) => tellError(error, file));
  const rest = errors.length - told.length;
  return [...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

function tellError({ pointer, line, detail }: ProblemError, file: string | undefined): string {
  const place = pointer
    .replace(/^\/body\/?/, '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  if (file === undefined) return place === '' ? detail : `${place}: ${detail}`;
  const where = line === undefined ? file : `${file}, line ${line}`;
  return place === '' ? `${where}: ${detail}` : `${where}: ${place} ${detail}`;
}

function parseProblem(body: string): Problem {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    // A proxy in front of the service answers in its own words.
    return {};
  }
}
