// Sets up tracing: the tracer, its exporter, and what they wrap. A delivery continues the trace of the request that caused
// the event, if this process made the change recently; otherwise it starts a new trace.
import { randomUUID } from 'node:crypto';
import type { TracingConfig } from '../config/tracing.ts';
import type { Sender } from '../events/sender.ts';
import { traceRequests } from '../server/trace-requests.ts';
import type { RequestTracing } from '../server/trace-requests.ts';
import type { Job } from '../ops/jobs.ts';
import type { SpanContext } from '../ops/tracing/context.ts';
import { SpanExporter } from '../ops/tracing/exporter.ts';
import type { SpanOutcome } from '../ops/tracing/exporter.ts';
import { outgoingBy } from '../ops/tracing/outgoing.ts';
import type { Outgoing } from '../ops/tracing/outgoing.ts';
import { openTracer } from '../ops/tracing/tracer.ts';
import type { Tracer } from '../ops/tracing/tracer.ts';
import { version } from '../ops/version.ts';
import type { CommitRequest } from '../store/payments/commit-request.ts';
import type { Store } from '../store/store.ts';

export type Tracing = {
  readonly requests: RequestTracing;
  readonly outgoing: Outgoing;
  readonly traceStore: (store: Store) => Store;
  readonly traceSender: (sender: Sender) => Sender;
  readonly exporting: Job;
};

const EXPORT_EVERY_MS = 1_000;
// About 200 bytes each; the oldest are dropped.
const MOST_CAUSES = 4_096;

const keyOf = (subjectId: string, subjectVersion: number): string => `${subjectId} ${subjectVersion}`;

/** Traces a database call as part of the current span, if there is one. */
async function traceCall<Result>(tracer: Tracer, operation: string, call: () => Promise<Result>): Promise<Result> {
  if (tracer.current() === undefined) return call();
  const span = tracer.begin({ kind: 'client' });
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation };
  try {
    const result = await call();
    span.end({ name: operation, attributes });
    return result;
  } catch (error) {
    const fault = error instanceof Error ? error.name : 'unknown';
    span.end({ name: operation, attributes: { ...attributes, 'error.type': fault }, isError: true });
    throw error;
  }
}

export function startTracing(
  config: TracingConfig,
  onCounted: (outcome: SpanOutcome, count: number) => void,
): Tracing & { readonly exporter: SpanExporter } {
  const resource = { ...config.resource, 'service.version': version, 'service.instance.id': randomUUID() };
  const exporter = new SpanExporter({ ...config, resource, scope: { name: 'kassa', version }, onCounted });
  const tracer = openTracer(config.sampling, (json) => exporter.add(json));
  const outgoing = outgoingBy(tracer);
  const causes = new Map<string, SpanContext>();

  const remember = ({ change: { payment, events }, before }: CommitRequest): void => {
    const context = tracer.current();
    if (context === undefined || events.length === 0) return;
    // The version that the commit assigns to the events.
    causes.set(keyOf(payment.id, before === undefined ? payment.version : before.version + 1), context);
    for (const oldest of causes.keys()) {
      if (causes.size <= MOST_CAUSES) break;
      causes.delete(oldest);
    }
  };

  return {
    exporter,
    outgoing,
    requests: traceRequests(tracer),
    exporting: {
      name: 'export-traces',
      everyMs: EXPORT_EVERY_MS,
      run: (signal) =>
        exporter.write(signal).catch((error: unknown) => {
          // An export aborted by the shutdown is repeated there.
          if (!signal.aborted) throw error;
        }),
    },
    traceStore: (store) => ({
      ...store,
      load: (request) => traceCall(tracer, 'load', () => store.load(request)),
      read: (request) => traceCall(tracer, 'load', () => store.read(request)),
      commit: (request) => {
        // Before the commit, since a delivery may be sent before the response.
        remember(request);
        return traceCall(tracer, 'commit', () => store.commit(request));
      },
    }),
    traceSender: (sender) => ({
      ...sender,
      send: (post) => {
        const { event, merchantId } = post;
        const call = {
          name: 'deliver',
          attributes: { 'http.request.method': 'POST', 'kassa.merchant_id': merchantId, 'kassa.event': event?.name },
          parent: (event && causes.get(keyOf(event.subjectId, event.version))) ?? null,
        };
        return outgoing(call, (headers) => sender.send({ ...post, headers: { ...post.headers, ...headers } }));
      },
    }),
  };
}
