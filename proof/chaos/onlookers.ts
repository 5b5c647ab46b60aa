// Whoever looks on while there is trouble: one reads lists of payments, one the list of events by its cursor, one the
// stream of events, each at whichever Kassa is up. They change nothing. Whatever they were shown has to be there in the
// end, and who goes on from an event has to have seen every event once.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListedPayment } from './books.ts';
import type { Journal } from './journal.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

const PAUSE_MS = 50;
const LISTS = ['limit=100', 'limit=20', 'state=reserved&limit=50', 'state=charged&limit=50', 'state=refunded&limit=50'];
const NO_EVENT = '0'.repeat(32);
/** For how long the stream may take to tell what the list has told, when all is at rest. */
const CATCH_UP_MS = 30_000;

type EventPage = { readonly events: readonly { readonly id: string }[] };

export class Onlookers {
  readonly #world: World;
  readonly #journal: Journal;
  readonly #random: Random;
  readonly #signal: AbortSignal;
  readonly #atRest = new AbortController();
  #looking: readonly Promise<void>[] = [];

  constructor(world: World, journal: Journal, random: Random, signal: AbortSignal) {
    this.#world = world;
    this.#journal = journal;
    this.#random = random;
    this.#signal = signal;
  }

  begin(): void {
    this.#looking = [this.#readLists(), this.#readEvents(), this.#readStream()];
    for (const looking of this.#looking) looking.catch(() => {});
  }

  /** When nothing happens any more: reads what is left to read, and ends. */
  async finish(): Promise<void> {
    this.#atRest.abort();
    await Promise.all(this.#looking);
  }

  /** Some place to go on from was refused: it is nobody's any more, and there is nowhere to go on. */
  #isLost = false;

  /** What is asked for and comes while there is no doubt: undefined where nothing came of it. */
  async #ask<Found>(path: string, read: (response: Response, signal: AbortSignal) => Promise<Found>, last = '') {
    const { doubt } = this.#journal;
    const url = this.#random.choose(this.#world.kassas.map((kassa) => kassa.url));
    if (url === undefined || doubt.aborted) return undefined;
    const signal = AbortSignal.any([this.#signal, doubt]);
    const headers = { authorization: this.#world.shop.secretKey, ...(last && { 'last-event-id': last }) };
    try {
      const response = await fetch(url + path, { headers, signal });
      this.#journal.looks += 1;
      if (response.status === 200) return await read(response, signal);
      const text = await response.text();
      // A place to go on from that is nobody's was an event before.
      if (response.status === 400) {
        this.#isLost = true;
        this.#journal.find('undone', `GET ${path} from ${last}: ${text}`);
      } else if (response.status !== 503 && response.status !== 429)
        this.#journal.find('defect', `GET ${path} is answered ${response.status} ${text}`);
      return undefined;
    } catch (error) {
      this.#signal.throwIfAborted();
      this.#journal.note(`GET ${path} → no answer: ${(error as Error).message}`);
      return undefined;
    }
  }

  async #readLists(): Promise<void> {
    while (!this.#atRest.signal.aborted) {
      const path = `/v1/payments?${this.#random.choose(LISTS)}`;
      const page = await this.#ask(path, async (response) => (await response.json()) as { payments: ListedPayment[] });
      for (const payment of page?.payments ?? []) this.#see(payment);
      await sleep(PAUSE_MS, undefined, { signal: this.#signal });
    }
  }

  #see(payment: ListedPayment): void {
    const { shown } = this.#journal;
    const before = shown.payments.get(payment.paymentId);
    const undone = before && findUndone(before, payment);
    if (undone !== undefined) this.#journal.find('undone', `a list showed of ${payment.paymentId} ${undone}`);
    shown.payments.set(payment.paymentId, payment);
  }

  async #readEvents(): Promise<void> {
    const { byCursor } = this.#journal.shown;
    for (let isOver = false; !isOver && !this.#isLost;) {
      const isLast = this.#atRest.signal.aborted;
      const last = byCursor.at(-1);
      const path = `/v1/events?limit=100${last === undefined ? '' : `&after=${last}`}`;
      const page = await this.#ask(path, async (response) => (await response.json()) as EventPage);
      byCursor.push(...(page?.events ?? []).map(({ id }) => id));
      isOver = isLast && page?.events.length === 0;
      await sleep(PAUSE_MS, undefined, { signal: this.#signal });
    }
  }

  /** As a browser does it: comes back with the id of what it was told last, event or not. */
  async #readStream(): Promise<void> {
    const { byCursor, byStream } = this.#journal.shown;
    let last = NO_EVENT;
    const tell = async (response: Response, signal: AbortSignal): Promise<void> => {
      let text = '';
      const decoder = new TextDecoder();
      for await (const bytes of response.body ?? []) {
        text += decoder.decode(bytes, { stream: true });
        signal.throwIfAborted();
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const id = /^id: (\w+)$/m.exec(block)?.[1];
          last = id ?? last;
          if (id !== undefined && block.includes('\ndata: ')) byStream.push(id);
        }
      }
    };
    const isDone = async (): Promise<void> => {
      await sleep(2 ** 31 - 1, undefined, { signal: this.#atRest.signal }).catch(() => {});
      await this.#looking[1];
      for (const deadline = performance.now() + CATCH_UP_MS; performance.now() < deadline; await sleep(PAUSE_MS))
        if (byStream.at(-1) === byCursor.at(-1)) return;
    };
    const over = new AbortController();
    void isDone().finally(() => over.abort());
    while (!over.signal.aborted && !this.#isLost) {
      const telling = this.#ask('/v1/events/stream', tell, last);
      await Promise.race([telling, new Promise((resolve) => over.signal.addEventListener('abort', resolve))]);
      if (!over.signal.aborted) await sleep(PAUSE_MS, undefined, { signal: this.#signal });
    }
  }
}

/** What was shown of a payment before and is not there later; undefined when all of it is. */
export function findUndone(before: ListedPayment, later: ListedPayment): string | undefined {
  for (const [name, amount] of Object.entries(before.summary))
    if (later.summary[name as keyof ListedPayment['summary']] < amount)
      return `${name} ${amount} and then ${later.summary[name as keyof ListedPayment['summary']]}`;
  const charges = new Set(later.charges.map(({ chargeId }) => chargeId));
  const charge = before.charges.find(({ chargeId }) => !charges.has(chargeId));
  if (charge !== undefined) return `the charge ${charge.chargeId}, and then did not`;
  const refunds = new Set(later.refunds.map(({ refundId }) => refundId));
  const refund = before.refunds.find(({ refundId }) => !refunds.has(refundId));
  return refund && `the refund ${refund.refundId}, and then did not`;
}
