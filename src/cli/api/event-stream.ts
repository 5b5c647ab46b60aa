// Follows a merchant's events by GET /v1/events/stream, for as long as it is wanted. A stream that breaks is opened
// again after the last event that came, so none is left out; pauses grow while Kassa is away.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventName } from '../../domain/decision.ts';
import { ApiAway, ApiRefused } from './client.ts';
import type { Api } from './client.ts';

/** An event as the stream tells it: the data is the body as webhooks get it. */
export type StreamedEvent = { readonly id: string; readonly name: string; readonly data: string };

export type Following = {
  readonly names: readonly EventName[] | undefined;
  /** The event after which it begins; from now on, when none is given. */
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  /** The next is read when it is done with this one. */
  readonly onEvent: (event: StreamedEvent) => Promise<void>;
  readonly onOpen: () => void;
  /** Once for each break, however long it lasts. */
  readonly onBroken: (why: string) => void;
};

/** The ids in an event's body: it is of a payment, or of a webhook. */
function subjectsOf({ data }: StreamedEvent): { paymentId?: string; webhookId?: string } {
  try {
    return (JSON.parse(data) as { data?: { paymentId?: string; webhookId?: string } | null }).data ?? {};
  } catch {
    // Whatever it is, it is forwarded as it came.
    return {};
  }
}

export const paymentOf = (event: StreamedEvent): string | undefined => subjectsOf(event).paymentId;

/** What an event is of. */
export function subjectOf(event: StreamedEvent): string {
  const { paymentId, webhookId } = subjectsOf(event);
  return paymentId ?? webhookId ?? '';
}

const PAUSES_MS = [200, 500, 1_000, 2_000, 5_000, 10_000];
// A heartbeat comes every 15 s.
const SILENCE_MS = 45_000;

/** Takes the text of a stream apart, in whichever pieces it comes. */
export class StreamReader {
  #rest = '';
  #id = '';
  #lastId = '';
  #name = '';
  #data: string[] = [];

  /** After which event to go on; empty when none was named. */
  get lastId(): string {
    return this.#lastId;
  }

  read(text: string): StreamedEvent[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#readLine(line) ?? []);
  }

  /** Forgets what was begun on a connection that broke. */
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
    // Only what came whole was seen: one that is cut off comes again.
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
    if (done) return isSilent ? 'nothing came for too long' : 'Kassa ended it';
    for (const event of stream.read(decoder.decode(value, { stream: true }))) await onEvent(event);
  }
}

async function follow(api: Api, stream: StreamReader, following: Following): Promise<string> {
  const { names, after, signal, onEvent, onOpen } = following;
  const query = new URLSearchParams({ ...(names && { type: names.join(',') }), ...(after !== undefined && { after }) });
  // Where it goes on counts for more than where it began.
  const headers: Record<string, string> = stream.lastId === '' ? {} : { 'last-event-id': stream.lastId };
  const response = await api.open(`/v1/events/stream?${query.toString()}`, headers, signal);
  stream.begin();
  onOpen();
  return readAll(response, stream, onEvent);
}

/** What a later try may mend; before the first stream, nothing is waited for. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiRefused) return error.status === 429 || error.status >= 500;
  // What fetch throws while it reads.
  return error instanceof ApiAway || error instanceof TypeError;
}

/** Follows until the signal says that it is enough; throws what no later try would mend. */
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
      why = error instanceof ApiRefused ? error.message : 'the connection broke';
    }
    if (failures === 0) onBroken(why);
    const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)];
    failures += 1;
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}
