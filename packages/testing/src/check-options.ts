import { z } from 'zod';

import { countEdits } from '../../../src/ir/count-edits.ts';
import type { AiCoreStubOptions } from './ai-core-stub-options.ts';
import type { MockAiCoreOptions } from './mock-ai-core-options.ts';

const Text = z.string('must be a text').min(1, 'must not be empty');
const Texts = z.array(z.string('must be a text'), 'must be a list of texts');
const Callback = z.custom<unknown>((value) => typeof value === 'function', 'must be a function');
const AnObject = z.custom<object>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);
const Milliseconds = z.number('must be a number').min(0, 'must not be negative');
const Count = z.int('must be a whole number').min(0, 'must not be negative');

const LocalDocument = z.object(
  {
    id: Text,
    title: z.string('must be a text'),
    paragraphs: Texts,
  },
  'must be a document such as { id: "d1", title: "Invoices", paragraphs: ["…"] }',
);
const LocalDocuments = z.array(LocalDocument, 'must be a list of documents');

const endpoints = ['token', 'search', 'dataRepositories', 'deployments', 'completion'] as const;
const faultTypes = ['answer', 'slow', 'truncated', 'reset', 'hang'] as const;
const FaultRule = z.object(
  {
    fault: z.object(
      { type: z.enum(faultTypes, `must be one of ${faultTypes.join(', ')}`) },
      'must be a fault such as { type: "reset" }',
    ),
    endpoint: z.enum(endpoints, `must be one of ${endpoints.join(', ')}`).optional(),
    nth: z.array(Count, 'must be a list of numbers').optional(),
    first: Count.optional(),
    probability: z.number('must be a number').min(0).max(1).optional(),
  },
  'must be a rule such as { fault: { type: "reset" }, nth: [1] }',
);

type Shape<Options> = Readonly<Record<keyof Options, z.ZodType>>;

const stubShape: Shape<AiCoreStubOptions> = {
  corpus: LocalDocuments,
  repositories: z.array(
    z.object({ title: Text, documents: LocalDocuments }, 'must be a repository'),
    'must be a list of repositories',
  ),
  lexicon: AnObject,
  chunking: AnObject,
  documentIdKey: Text,
  hasDocumentId: Callback,
  resourceGroups: Texts,
  deployments: z.array(AnObject, 'must be a list of deployments'),
  reply: Callback,
  latencyMs: z.union([Milliseconds, Callback], 'must be a number of milliseconds or a function'),
  faults: z.union([z.array(FaultRule), Callback], 'must be a list of rules or a function'),
  rateLimit: z.object(
    { requestsPerSecond: z.number('must be a number').min(0, 'must not be negative') },
    'must be a limit such as { requestsPerSecond: 5 }',
  ),
  tokenLifetimeSeconds: z.number('must be a number'),
  port: Count.max(65_535, 'must be at most 65535'),
  now: Callback,
};

const Answer = z.object(
  {
    status: z.int('must be a whole number').min(100).max(599).optional(),
    delayMs: Milliseconds.optional(),
  },
  'must be an answer such as { body: searchAnswer(…) }',
);
const Answers = z.array(Answer, 'must be a list of answers');

const mockShape: Shape<MockAiCoreOptions> = {
  searches: Answers,
  completions: Answers,
  token: Answer,
  deployments: z.array(AnObject, 'must be a list of deployments'),
  dataRepositories: Answer,
  url: z.url('must be a URL'),
};

/** Throws a TypeError that names the first wrong option and what is expected. */
export function checkStubOptions(options: AiCoreStubOptions): void {
  check('startAiCoreStub', options, stubShape);
}

/** As `checkStubOptions`. */
export function checkMockOptions(options: MockAiCoreOptions): void {
  check('mockAiCore', options, mockShape);
}

function check(name: string, options: unknown, shape: Readonly<Record<string, z.ZodType>>): void {
  const fail = (reason: string) => new TypeError(`${name}: ${reason}`);
  if (!AnObject.safeParse(options).success) throw fail('options must be an object');
  for (const [option, value] of Object.entries(options as object)) {
    const schema = shape[option];
    if (!schema) throw fail(`unknown option '${option}'${suggest(option, shape)}`);
    const [issue] = value === undefined ? [] : (schema.safeParse(value).error?.issues ?? []);
    if (!issue) continue;
    const { path, message } = innermost(issue);
    throw fail(`${[option, ...path].join('.')} ${message}`);
  }
}

/** Of several forms, the problem of the one that got furthest. */
function innermost(issue: z.core.$ZodIssue): Pick<z.core.$ZodIssue, 'path' | 'message'> {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flat().find(({ path }) => path.length > 0);
  return inner ? innermost(inner) : issue;
}

function suggest(option: string, shape: object): string {
  const near = Object.keys(shape).find((known) => countEdits(option, known) <= 2);
  return near === undefined
    ? `; known are ${Object.keys(shape).join(', ')}`
    : `; did you mean '${near}'?`;
}
