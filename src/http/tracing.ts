import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import packageJson from '../../package.json' with { type: 'json' };

export interface Tracing {
  /** Sends what was recorded. */
  readonly close: () => Promise<void>;
}

/**
 * Records traces from now on and sends them by OTLP over HTTP to where the OTEL_ variables say, which the SDK
 * reads itself. `ratio`: the part of the traces that begin here which is kept; a caller's decision is followed.
 * The SDK is loaded here and nowhere else.
 */
export async function startTracing(serviceName: string, ratio: number): Promise<Tracing> {
  const [sdk, { OTLPTraceExporter }, contexts, { W3CTraceContextPropagator }, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': serviceName,
      'service.version': packageJson.version,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  context.setGlobalContextManager(new contexts.AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return { close: () => provider.shutdown() };
}

/** Makes each request a span, part of the caller's trace if it names one. Paths go by their pattern. */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = propagation.extract(context.active(), request.headers);
    const route = request.routeOptions.url ?? 'unknown';
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const name = `${request.method} ${route}`;
    const options = { kind: SpanKind.SERVER, attributes };
    const span = trace.getTracer('grounding-eval').startSpan(name, options, parent);
    spans.set(request, span);
    context.with(trace.setSpan(parent, span), done);
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });
}
