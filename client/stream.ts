// The stream of events: read as it comes, and taken up again where it broke off, so that nothing is missed.
import type { CallOptions } from './call.ts';
import type { Event, StreamEventsQuery } from './generated/api.ts';
import { KassaError } from './kassa-error.ts';
import { mayRetry, pauseAfter, wait } from './retry.ts';
import { open } from './send.ts';
import type { ClientOptions } from './send.ts';

// The service says every 15 s that it is there.
const SILENCE_MS = 45_000;
// An event holds what a payment holds, which is at most 2 MiB.
const LONGEST_MESSAGE = 8 * 1_048_576;
// In a row, without a sign of life in between: some minutes, as a restart or a failover takes.
const RETRIES = 20;

type Message = { readonly id?: string; readonly data?: string };

function readMessage(text: string): Message {
  const fields: { id?: string; data?: string } = {};
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^(id|data): ?(.*)$/.exec(line) ?? [];
    if (name === 'id') fields.id = value;
    if (name === 'data') fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`;
  }
  return fields;
}

/** The messages of one connection, until it breaks off. */
async function* messagesOf(body: ReadableStream<Uint8Array>, isAlive: () => void): AsyncGenerator<Message> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    isAlive();
    text += decoder.decode(value, { stream: true }).replaceAll('\r', '');
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield readMessage(text.slice(0, end));
      text = text.slice(end + 2);
    }
    if (text.length > LONGEST_MESSAGE) throw new Error('a message of the stream does not end');
  }
}

export async function* streamEvents(
  client: ClientOptions,
  query: StreamEventsQuery = {},
  options: CallOptions = {},
): AsyncGenerator<Event> {
  const { signal, retries = RETRIES, timeoutMs = SILENCE_MS } = options;
  let after: string | undefined;
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const end = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', end, { once: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isAlive = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(new Error(`silent for ${timeoutMs} ms`)), timeoutMs);
    };
    let failed: { status: number; headers: Headers | undefined; text: string; cause?: unknown };
    try {
      isAlive();
      const headers = { ...options.headers, ...(after !== undefined && { 'last-event-id': after }) };
      const path = '/v1/events/stream';
      const call = { operation: 'streamEvents', method: 'GET', path, isKeyed: false, query, options: { headers } };
      const response = await open(client, call, controller.signal);
      failed = { status: response.status, headers: response.headers, text: '' };
      if (response.status === 200 && response.body) {
        for await (const { id, data } of messagesOf(response.body, isAlive)) {
          if (data !== undefined) yield JSON.parse(data) as Event;
          // Only what was taken is behind us.
          if (id) after = id;
          // An event or a sign of life; the greeting alone would have us come back for ever.
          if (data !== undefined || id === undefined) tries = 1;
        }
        failed = { ...failed, status: 0 };
      } else failed = { ...failed, text: await response.text() };
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      failed = { status: 0, headers: undefined, text: '', cause };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      controller.abort();
    }
    const pauseMs = tries <= retries && mayRetry(failed.status, 'GET', false) ? pauseAfter(tries, failed) : undefined;
    if (pauseMs === undefined)
      throw new KassaError({ ...failed, url: client.url, operation: 'streamEvents', idempotencyKey: undefined, tries });
    await wait(pauseMs, signal);
  }
}
