// Exports spans to a collector as OTLP JSON over HTTP, in batches. The queue is bounded by count and bytes: while the
// collector is unavailable, new spans are dropped and counted. No request waits for it.
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { TracingConfig } from '../../config/tracing.ts';
import { Agent as HttpAgent, request as requestHttp } from '../node-http.ts';
import { attributesJson } from './span-json.ts';
import type { Attributes } from './span-json.ts';

/** The outcome of spans: sent; dropped because the queue was full; or refused permanently by the collector. */
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
// Statuses that can be retried; all others are permanent.
const LATER: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Returns the status; the body is not needed. */
function post(url: URL, options: RequestOptions, body: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const isSecure = url.protocol === 'https:';
  let hasAnswer = false;
  const breakOff = (): void => reject(new Error('the trace collector closed the connection'));
  const read = (response: IncomingMessage): void => {
    hasAnswer = true;
    response.on('error', reject);
    response.on('end', () => resolve(response.statusCode ?? 0));
    response.on('close', breakOff);
    response.resume();
  };
  const request: ClientRequest = (isSecure ? requestHttps : requestHttp)(url, { ...options, method: 'POST' }, read);
  const late = new Error('the trace collector timed out');
  const timer = setTimeout(() => request.destroy(late), TIMEOUT_MS);
  request.on('error', reject);
  // A response in progress signals its own end.
  request.on('close', () => {
    if (!hasAnswer) breakOff();
  });
  request.end(body);
  return promise.finally(() => clearTimeout(timer));
}

export class SpanExporter {
  readonly #options: ExporterOptions;
  readonly #url: URL;
  readonly #agent: HttpAgent;
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
    const kept = { keepAlive: true, maxSockets: 1, timeout: IDLE_MS };
    this.#agent = this.#url.protocol === 'https:' ? new HttpsAgent(kept) : new HttpAgent(kept);
    const head = JSON.stringify({ attributes: attributesJson(resource) });
    this.#before = `{"resourceSpans":[{"resource":${head},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`;
  }

  /** Queues a span, if there is room. */
  add(json: string): void {
    const isFull = this.#waiting.length >= this.#bounds.count || this.#bytes + json.length > this.#bounds.bytes;
    if (isFull) return this.#options.onCounted('dropped', 1);
    this.#waiting.push(json);
    this.#bytes += json.length;
  }

  /**
   * Sends all queued spans; concurrent callers share the result. Spans that can be retried stay queued, as do those in
   * progress when the signal aborts.
   */
  write(signal?: AbortSignal): Promise<void> {
    this.#writing ??= this.#writeAll(signal).finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  /** Drops and counts the queued spans. */
  close(): void {
    this.#drop(this.#waiting.length, 'dropped');
    this.#agent.destroy();
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
    const status = await post(this.#url, { headers, agent: this.#agent, ...(signal && { signal }) }, body);
    if (status >= 200 && status < 300) return this.#drop(count, 'sent');
    if (!LATER.has(status)) this.#drop(count, 'refused');
    throw new Error(`the collector of traces answers ${status}`);
  }

  #drop(count: number, outcome: SpanOutcome): void {
    // close() has counted them.
    const dropped = this.#waiting.splice(0, count);
    for (const { length } of dropped) this.#bytes -= length;
    if (dropped.length > 0) this.#options.onCounted(outcome, dropped.length);
  }
}
