// Brings spans to a collector by OTLP over HTTP, in JSON and in batches. What waits is bounded by count and by bytes: while
// the collector is away the latest are left out, and counted. Nobody's request waits for it.
import type { TracingConfig } from '../../config/tracing.ts';
import { describeError, openOutbound } from '../../outbound/exchange.ts';
import type { Outbound } from '../../outbound/exchange.ts';
import { attributesJson } from './span-json.ts';
import type { Attributes } from './span-json.ts';

/** What came of spans: sent; left out as there was no room; or refused by the collector for good. */
export type SpanOutcome = 'sent' | 'dropped' | 'refused';

type ExporterOptions = Pick<TracingConfig, 'endpoint' | 'headers'> & {
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string };
  readonly onCounted: (outcome: SpanOutcome, count: number) => void;
  readonly waiting?: Bounds;
};

type Bounds = { readonly count: number; readonly bytes: number };

const WAITING: Bounds = { count: 8_192, bytes: 8_388_608 };
const BATCH: Bounds = { count: 512, bytes: 524_288 };
const TIMEOUT_MS = 10_000;
const IDLE_MS = 30_000;
// What it says beside its status is not needed.
const MOST_ANSWER_BYTES = 65_536;
// The collector means to take it later; all else it will never take.
const LATER: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

export class SpanExporter {
  readonly #options: ExporterOptions;
  readonly #url: URL;
  readonly #outbound: Outbound;
  readonly #before: string;
  readonly #bounds: Bounds;
  #waiting: string[] = [];
  #bytes = 0;
  #writing: Promise<void> | undefined;

  constructor(options: ExporterOptions) {
    const { endpoint, resource, scope, waiting = WAITING } = options;
    this.#options = options;
    this.#bounds = waiting;
    this.#url = new URL(endpoint);
    this.#outbound = openOutbound({ idleMs: IDLE_MS, mostConnections: 1 });
    const head = JSON.stringify({ attributes: attributesJson(resource) });
    this.#before = `{"resourceSpans":[{"resource":${head},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`;
  }

  /** Leaves a span here, if there is room for it. */
  add(json: string): void {
    const isFull = this.#waiting.length >= this.#bounds.count || this.#bytes + json.length > this.#bounds.bytes;
    if (isFull) return this.#options.onCounted('dropped', 1);
    this.#waiting.push(json);
    this.#bytes += json.length;
  }

  /**
   * Sends all that waits; whoever asks meanwhile waits for the same. What the collector may take later stays, and so does
   * what is under way when the signal comes.
   */
  write(signal?: AbortSignal): Promise<void> {
    this.#writing ??= this.#writeAll(signal).finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  /** What still waits is left out, and counted. */
  close(): void {
    this.#drop(this.#waiting.length, 'dropped');
    this.#outbound.close();
  }

  async #writeAll(signal: AbortSignal | undefined): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeBatch(this.#batchSize(), signal);
  }

  #batchSize(): number {
    let [count, bytes] = [0, 0];
    for (const { length } of this.#waiting) {
      bytes += length;
      if (count > 0 && (count >= BATCH.count || bytes > BATCH.bytes)) break;
      count += 1;
    }
    return count;
  }

  async #writeBatch(count: number, signal: AbortSignal | undefined): Promise<void> {
    const body = `${this.#before}${this.#waiting.slice(0, count).join(',')}]}]}]}`;
    const headers = { ...this.#options.headers, 'content-type': 'application/json' };
    const { status = 0, failure } = await this.#outbound.exchange({
      url: this.#url,
      method: 'POST',
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      mostBytes: MOST_ANSWER_BYTES,
      keptBytes: 0,
      ...(signal && { signal }),
    });
    if (failure?.name === 'late') throw new Error('the collector of traces does not answer in time');
    if (failure?.name === 'broken')
      throw new Error(`the collector of traces cannot be reached, ${describeError(failure.error)}`);
    if (status >= 200 && status < 300) return this.#drop(count, 'sent');
    if (!LATER.has(status)) this.#drop(count, 'refused');
    throw new Error(`the collector of traces answers ${status}`);
  }

  #drop(count: number, outcome: SpanOutcome): void {
    // Who closed meanwhile has counted them.
    const dropped = this.#waiting.splice(0, count);
    for (const { length } of dropped) this.#bytes -= length;
    if (dropped.length > 0) this.#options.onCounted(outcome, dropped.length);
  }
}
