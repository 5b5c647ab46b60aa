// Forwards events to a local address as a webhook would get them: signed, in order for each payment, several payments at
// once. It applies backpressure when its queue is full.
import { createHmac } from 'node:crypto';
import { openSender } from '../../events/sender.ts';
import type { Sent } from '../../events/sender.ts';
import { signatureHeaders } from '../../events/signature.ts';
import { subjectOf } from './event-stream.ts';
import type { StreamedEvent } from './event-stream.ts';

export type Forwarded = { readonly event: StreamedEvent; readonly sent: Sent };

export type Forwarding = {
  readonly url: string;
  readonly secret: string;
  readonly authorization: string | undefined;
  readonly onForwarded: (forwarded: Forwarded) => void;
};

export type Forwarder = {
  /** Resolves when the queue has room for another event. */
  readonly forward: (event: StreamedEvent) => Promise<void>;
  /** Abandons requests in progress. */
  close(): void;
};

const AT_ONCE = 16;
const MOST_WAITING = 256;
// All events belong to one merchant.
const OURS = 0;

/** Derived from the key, so that it is the same at every start without being stored; it does not reveal the key. */
export const secretOf = (keyDigits: string): string =>
  `whsec_${createHmac('sha256', keyDigits).update('kassa listen').digest('base64')}`;

export function openForwarder({ url, secret, authorization, onForwarded }: Forwarding): Forwarder {
  // The user may choose any address.
  const sender = openSender({ privateHooks: true });
  const queues = new Map<string, StreamedEvent[]>();
  const ready: string[] = [];
  let [underWay, waiting] = [0, 0];
  let isClosed = false;
  let makeRoom: (() => void) | undefined;
  const isFree = (): boolean => !isClosed && underWay < AT_ONCE;
  const isFull = (): boolean => !isClosed && waiting >= MOST_WAITING;

  async function send(event: StreamedEvent): Promise<void> {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Kassa',
      ...(authorization !== undefined && { authorization }),
      ...signatureHeaders(event.id, event.data, [secret], Date.now()),
    };
    const sent = await sender.send({ merchantId: OURS, url, live: false, headers, body: event.data });
    if (!isClosed) onForwarded({ event, sent });
  }

  /** Sends one event of a payment; its next event queues behind those of other payments. */
  async function run(subject: string): Promise<void> {
    const queue = queues.get(subject) ?? [];
    const event = queue.shift();
    if (event !== undefined) await send(event);
    waiting -= 1;
    underWay -= 1;
    if (queue.length > 0) ready.push(subject);
    else queues.delete(subject);
    makeRoom?.();
    start();
  }

  function start(): void {
    while (isFree()) {
      const subject = ready.shift();
      if (subject === undefined) return;
      underWay += 1;
      void run(subject);
    }
  }

  return {
    forward: async (event) => {
      const subject = subjectOf(event);
      waiting += 1;
      const queue = queues.get(subject);
      if (queue) queue.push(event);
      else {
        queues.set(subject, [event]);
        ready.push(subject);
      }
      start();
      while (isFull())
        await new Promise<void>((resolve) => {
          makeRoom = resolve;
        });
    },
    close: () => {
      isClosed = true;
      makeRoom?.();
      sender.close();
    },
  };
}
