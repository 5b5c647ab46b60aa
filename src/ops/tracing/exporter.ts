// Exports spans to a collector as OTLP JSON over HTTP, in batches. The queue is bounded by count and bytes: while the
// collector is unavailable, new spans are dropped and counted. No request waits for it.
import type { TracingConfig } from '../../config/tracing.ts';
import { describeError, openOutbound } from '../../outbound/exchange.ts';
import { attributesJson } from './tracer.ts';
import type { Attributes } from './tracer.ts';

/** The outcome of spans: sent; dropped because the queue was full; or refused permanently by the collector. */
export type SpanOutcome = 'sent' | 'dropped' | 'refused';

type ExporterOptions = Pick<TracingConfig, 'endpoint' | 'headers'> & {
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string };
  readonly onCounted: (outcome: SpanOutcome, count: number) => void;
  readonly most?: { readonly count: number; readonly bytes: number };
};

export type SpanExporter = {
  /** Queues a span, if there is room. */
  add(json: string): void;
  /**
   * Sends all queued spans; concurrent callers share the result. Spans that can be retried stay queued, as do those in
   * progress when the signal aborts.
   */
  write(signal?: AbortSignal): Promise<void>;
  /** Drops what is still queued, and counts it. */
  close(): void;
};

const MOST = { count: 8_192, bytes: 8_388_608 };
const BATCH = { count: 512, bytes: 524_288 };
const TIMEOUT_MS = 10_000;
const IDLE_MS = 30_000;
// Only the status is needed; the body is not read.
const MOST_ANSWER_BYTES = 65_536;
// The collector will accept these later; anything else it never will.
const LATER: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

export function openExporter({ resource, scope, onCounted, most = MOST, ...collector }: ExporterOptions): SpanExporter {
  const url = new URL(collector.endpoint);
  const headers = { ...collector.headers, 'content-type': 'application/json' };
  const outbound = openOutbound({ idleMs: IDLE_MS, mostConnections: 1 });
  const head = JSON.stringify({ attributes: attributesJson(resource) });
  const before = `{"resourceSpans":[{"resource":${head},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`;
  const waiting: string[] = [];
  let bytes = 0;
  let writing: Promise<void> | undefined;

  function drop(count: number, outcome: SpanOutcome): void {
    // If the exporter was closed meanwhile, they are counted already.
    const dropped = waiting.splice(0, count);
    for (const { length } of dropped) bytes -= length;
    if (dropped.length > 0) onCounted(outcome, dropped.length);
  }

  async function writeBatch(signal: AbortSignal | undefined): Promise<void> {
    let [count, size] = [0, 0];
    do size += waiting[count]?.length ?? 0;
    while (++count < Math.min(waiting.length, BATCH.count) && size + (waiting[count]?.length ?? 0) <= BATCH.bytes);
    const batch = waiting.slice(0, count);
    const { status = 0, failure } = await outbound.exchange({
      url,
      method: 'POST',
      headers,
      body: `${before}${batch.join(',')}]}]}]}`,
      timeoutMs: TIMEOUT_MS,
      mostBytes: MOST_ANSWER_BYTES,
      keptBytes: 0,
      ...(signal && { signal }),
    });
    if (failure !== undefined && failure.name !== 'too_long')
      throw new Error(`the collector of traces cannot be reached, ${describeError(failure.error)}`);
    if (status >= 200 && status < 300) return drop(batch.length, 'sent');
    if (!LATER.has(status)) drop(batch.length, 'refused');
    throw new Error(`the collector of traces answers ${status}`);
  }

  async function writeAll(signal: AbortSignal | undefined): Promise<void> {
    while (waiting.length > 0) await writeBatch(signal);
  }

  return {
    add(json) {
      if (waiting.length >= most.count || bytes + json.length > most.bytes) return onCounted('dropped', 1);
      waiting.push(json);
      bytes += json.length;
    },
    write: (signal) => (writing ??= writeAll(signal).finally(() => (writing = undefined))),
    close() {
      drop(waiting.length, 'dropped');
      outbound.close();
    },
  };
}
