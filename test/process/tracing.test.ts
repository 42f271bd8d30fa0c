import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';

import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { startAiCoreServer } from '../helpers/aicore-server.ts';
import { createDatabase } from '../helpers/databases.ts';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';
import { startServer } from '../helpers/server-process.ts';

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const Span = z.object({
  name: z.string(),
  kind: z.number(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  attributes: z.array(Attribute),
});
type Span = z.infer<typeof Span>;

/** OTLP over HTTP as JSON. */
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const callerSpan = 'b7ad6b7169203331';
const question = 'a planted question';

describe('traces', () => {
  it('lead from the caller’s request to the call of AI Core, without a word of what is asked', async () => {
    const { receiver, status } = await traceEvaluation({});
    const spans = listSpans(receiver);
    const request = find(spans, 'POST /v1/eval');
    const evaluation = find(spans, 'evaluation');
    const search = find(spans, 'search');
    const call = find(spans, 'call of AI Core');

    expect(status).toBe(200);
    expect(receiver.requests.every(({ path }) => path === '/v1/traces')).toBe(true);
    expect(request).toMatchObject({ traceId, parentSpanId: callerSpan, kind: 2 });
    expect(readAttributes(request)).toMatchObject({
      'http.request.method': { stringValue: 'POST' },
      'http.route': { stringValue: '/v1/eval' },
      'http.response.status_code': { intValue: 200 },
    });
    expect(evaluation).toMatchObject({ traceId, parentSpanId: request.spanId });
    expect(search).toMatchObject({ traceId, parentSpanId: evaluation.spanId });
    expect(call).toMatchObject({ traceId, parentSpanId: search.spanId, kind: 3 });
    expect(readAttributes(call)).toEqual({ 'http.response.status_code': { intValue: 200 } });
    expect(readAttributes(search)).toEqual({ 'grounding_eval.backend': { stringValue: 'aicore' } });
    expect(receiver.requests.map(({ body }) => body).join('')).not.toMatch(/planted|one-secret/);
  });

  it('name the service', async () => {
    const { receiver } = await traceEvaluation({ OTEL_SERVICE_NAME: 'ours' });
    const [resource] = parse(receiver).map((part) => part.resource);

    expect(resource?.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'ours' },
    });
  });

  it('cost nothing where they are off: only what starts them loads the SDK', () => {
    const loaders = globSync('src/**/*.ts').filter((path) =>
      /from '@opentelemetry\/(?!api')/.test(readFileSync(path, 'utf8')),
    );

    expect(loaders).toEqual([]);
  });

  it('are not recorded when that is said', async () => {
    const { receiver, status } = await traceEvaluation({ OTEL_SDK_DISABLED: 'true' });

    expect(status).toBe(200);
    expect(receiver.requests).toEqual([]);
  });
});

/** An evaluation of one question as a caller's trace, by the real process, until it was told to stop. */
async function traceEvaluation(variables: Record<string, string>) {
  const receiver = await startReceiver();
  const aiCore = await startAiCoreServer();
  onTestFinished(aiCore.close);
  const { url, child } = await startServer({
    DATABASE_URL: await createDatabase('sqlite'),
    AICORE_SERVICE_KEY: JSON.stringify(aiCore.key),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    ...variables,
  });
  const send = (method: string, path: string, body: object) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        prefer: 'wait=30',
        traceparent: `00-${traceId}-${callerSpan}-01`,
      },
      body: JSON.stringify(body),
    });
  const questions = [{ id: 'q1', text: question, relevant: { D1: 1 } }];
  await send('PUT', '/v1/question-sets/one-secret', { questions });
  const configuration = {
    name: 'grounding',
    backend: 'aicore',
    resourceGroup: 'default',
    filters: [{ id: 'f', dataRepositoryType: 'vector', dataRepositories: ['*'] }],
    documentId: { from: 'chunkId' },
  };
  const evaluation = { questionSet: 'one-secret', configurations: [configuration] };
  const { status } = await send('POST', '/v1/eval', evaluation);
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  return { receiver, status };
}

function parse(receiver: Receiver) {
  return receiver.requests.flatMap(({ body }) => Export.parse(JSON.parse(body)).resourceSpans);
}

function listSpans(receiver: Receiver): readonly Span[] {
  return parse(receiver).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

function find(spans: readonly Span[], name: string): Span {
  const found = spans.filter((span) => span.name === name);
  if (found.length !== 1) throw new Error(`${found.length} spans are called ${name}`);
  return found[0]!;
}

function readAttributes({ attributes }: Span): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value]));
}
