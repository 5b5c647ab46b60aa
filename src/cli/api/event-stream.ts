// Follows a merchant's events through GET /v1/events/stream. A broken stream is reopened after the last event received, so
// that none is missed, with growing pauses while Kassa is unreachable.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventName } from '../../domain/decision.ts';
import { ApiAway, ApiRefused } from './client.ts';
import type { Api } from './client.ts';

/** An event of the stream; `data` is the body as sent to webhooks. */
export type StreamedEvent = { readonly id: string; readonly name: string; readonly data: string };

export type Following = {
  readonly names: readonly EventName[] | undefined;
  /** The event to start after; from now on if undefined. */
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  /** The next event is read when this resolves. */
  readonly onEvent: (event: StreamedEvent) => Promise<void>;
  readonly onOpen: () => void;
  /** Called once per interruption. */
  readonly onBroken: (why: string) => void;
};

/** The ids in an event's body: of a payment or of a webhook. */
function subjectsOf({ data }: StreamedEvent): { paymentId?: string; webhookId?: string } {
  try {
    return (JSON.parse(data) as { data?: { paymentId?: string; webhookId?: string } | null }).data ?? {};
  } catch {
    // Not JSON: it is forwarded unchanged.
    return {};
  }
}

export const paymentOf = (event: StreamedEvent): string | undefined => subjectsOf(event).paymentId;

/** The id of an event's subject. */
export function subjectOf(event: StreamedEvent): string {
  const { paymentId, webhookId } = subjectsOf(event);
  return paymentId ?? webhookId ?? '';
}

const PAUSES_MS = [200, 500, 1_000, 2_000, 5_000, 10_000];
// A heartbeat comes every 15 s.
const SILENCE_MS = 45_000;

/** Parses an event stream incrementally. */
export class StreamReader {
  #rest = '';
  #id = '';
  #lastId = '';
  #name = '';
  #data: string[] = [];

  /** The last event id, to resume after; empty if there is none yet. */
  get lastId(): string {
    return this.#lastId;
  }

  read(text: string): StreamedEvent[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#readLine(line) ?? []);
  }

  /** Discards a partial event of a broken connection. */
  begin(): void {
    this.#rest = '';
    this.#id = this.#lastId;
    this.#name = '';
    this.#data = [];
  }

  #readLine(line: string): StreamedEvent | undefined {
    if (line === '') return this.#dispatch();
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'id') this.#id = value;
    else if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
    return undefined;
  }

  #dispatch(): StreamedEvent | undefined {
    const event = { id: this.#id, name: this.#name, data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    // Only complete events count: a partial one is sent again.
    this.#lastId = this.#id;
    this.#name = '';
    this.#data = [];
    return isEmpty ? undefined : event;
  }
}

/** Reads until the stream ends or is silent for too long. */
async function readAll(response: Response, stream: StreamReader, onEvent: Following['onEvent']): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let isSilent = false;
  for (;;) {
    const timer = setTimeout(() => {
      isSilent = true;
      void reader.cancel().catch(() => {});
    }, SILENCE_MS);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return isSilent ? 'timeout' : 'closed by Kassa';
    for (const event of stream.read(decoder.decode(value, { stream: true }))) await onEvent(event);
  }
}

async function follow(api: Api, stream: StreamReader, following: Following): Promise<string> {
  const { names, after, signal, onEvent, onOpen } = following;
  const query = new URLSearchParams({ ...(names && { type: names.join(',') }), ...(after !== undefined && { after }) });
  // The last event received takes precedence over --after.
  const headers: Record<string, string> = stream.lastId === '' ? {} : { 'last-event-id': stream.lastId };
  const response = await api.open(`/v1/events/stream?${query.toString()}`, headers, signal);
  stream.begin();
  onOpen();
  return readAll(response, stream, onEvent);
}

/** Whether a retry may help; the first connection is not retried. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiRefused) return error.status === 429 || error.status >= 500;
  // Thrown by fetch while reading.
  return error instanceof ApiAway || error instanceof TypeError;
}

/** Follows until the signal aborts; throws errors that a retry would not fix. */
export async function followEvents(api: Api, following: Following): Promise<void> {
  const { signal, onOpen, onBroken } = following;
  const stream = new StreamReader();
  let wasOpen = false;
  let failures = 0;
  const opened = (): void => {
    wasOpen = true;
    failures = 0;
    onOpen();
  };
  while (!signal.aborted) {
    let why: string;
    try {
      why = await follow(api, stream, { ...following, onOpen: opened });
    } catch (error) {
      if (signal.aborted) return;
      if (!wasOpen || !isPassing(error)) throw error;
      why = error instanceof ApiRefused ? error.message : 'connection lost';
    }
    if (failures === 0) onBroken(why);
    const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)];
    failures += 1;
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}
