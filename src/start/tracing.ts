// What traces are made of: a tracer and its exporter, and around what they are put. A delivery goes on with the trace of
// the request that it tells of, where this process has made the change within the last minutes; otherwise it begins one.
// Loaded only where a setting asks for traces.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TracingConfig } from '../config/tracing.ts';
import type { Sender } from '../events/sender.ts';
import { traceRequests } from '../server/trace-requests.ts';
import type { RequestTracing } from '../server/trace-requests.ts';
import type { Job } from '../ops/jobs.ts';
import type { Metrics } from '../ops/metrics.ts';
import { openExporter } from '../ops/tracing/exporter.ts';
import { openTracer, outgoingBy } from '../ops/tracing/tracer.ts';
import type { Outgoing, SpanContext, Tracer } from '../ops/tracing/tracer.ts';
import { version } from '../ops/version.ts';
import type { CommitRequest } from '../store/payments/commit-request.ts';
import type { Store } from '../store/store.ts';
import type { Openings } from './shutdown.ts';

export type Tracing = {
  readonly requests: RequestTracing;
  readonly outgoing: Outgoing;
  readonly traceStore: (store: Store) => Store;
  readonly traceSender: (sender: Sender) => Sender;
  readonly exporting: Job;
};

const EXPORT_EVERY_MS = 1_000;
// For so long an end waits for the last spans to be taken.
const LAST_WRITE_MS = 3_000;
// Some 200 bytes each; the oldest go.
const MOST_CAUSES = 4_096;

const keyOf = (subjectId: string, subjectVersion: number): string => `${subjectId} ${subjectVersion}`;

/** Below what is under way, if anything is: what the database does for itself is no trace. */
async function traceCall<Result>(tracer: Tracer, operation: string, call: () => Promise<Result>): Promise<Result> {
  if (tracer.current() === undefined) return call();
  const span = tracer.begin({ kind: 'client' });
  let fault: string | undefined;
  try {
    return await call();
  } catch (error) {
    fault = error instanceof Error ? error.name : 'unknown';
    throw error;
  } finally {
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'error.type': fault };
    span.end({ name: operation, attributes });
  }
}

/** Sends spans from now on; an end waits a little for the last ones to be taken. */
export function openTracing(config: TracingConfig, openings: Openings, metrics: Metrics): Tracing {
  const resource = { ...config.resource, 'service.version': version, 'service.instance.id': randomUUID() };
  const exporter = openExporter({
    ...config,
    resource,
    scope: { name: 'kassa', version },
    onCounted: (...counted) => metrics.onSpans(...counted),
  });
  openings.add('traces', async () => {
    // What is under way takes what was there when it began.
    const all = exporter
      .write()
      .catch(() => {})
      .then(() => exporter.write());
    await Promise.race([all.catch(() => {}), sleep(LAST_WRITE_MS, undefined, { ref: false })]);
    exporter.close();
  });
  const tracer = openTracer(config.sampling, (json) => exporter.add(json));
  const outgoing = outgoingBy(tracer);
  const causes = new Map<string, SpanContext>();

  const remember = ({ change: { payment, events }, before }: CommitRequest): void => {
    const context = tracer.current();
    if (context === undefined || events.length === 0) return;
    // As the commit gives it to the events.
    causes.set(keyOf(payment.id, before === undefined ? payment.version : before.version + 1), context);
    for (const oldest of causes.keys()) {
      if (causes.size <= MOST_CAUSES) break;
      causes.delete(oldest);
    }
  };

  return {
    outgoing,
    requests: traceRequests(tracer),
    exporting: {
      name: 'export-traces',
      everyMs: EXPORT_EVERY_MS,
      run: (signal) =>
        exporter.write(signal).catch((error: unknown) => {
          // What was broken off for the end is sent once more then.
          if (!signal.aborted) throw error;
        }),
    },
    traceStore: (store) => ({
      ...store,
      load: (request) => traceCall(tracer, 'load', () => store.load(request)),
      read: (request) => traceCall(tracer, 'load', () => store.read(request)),
      commit: (request) => {
        // Before, since a delivery may leave before the answer.
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
