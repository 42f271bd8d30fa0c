import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/**
 * Does work as a span of the trace that it is part of. Nothing is recorded unless tracing was started. What is
 * thrown marks the span as failed and is not recorded: messages may repeat what was searched.
 */
export async function inSpan<Value>(
  name: string,
  { attributes, isCall = false }: { readonly attributes: Attributes; readonly isCall?: boolean },
  work: (span: Span) => Promise<Value>,
): Promise<Value> {
  const kind = isCall ? SpanKind.CLIENT : SpanKind.INTERNAL;
  const tracer = trace.getTracer('grounding-eval');
  return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
