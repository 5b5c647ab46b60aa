// A merchant of a test: the typed client with its key, and what a test does besides: pay as the consumer, wait for an
// event, move the clock.
import { createClient } from '../client/client.ts';
import type { Client, ClientOptions, Event, EventName, EventOf, TestClock } from '../client/client.ts';
import { pay } from './consumer.ts';
import type { Checkout, Paid, PayOptions } from './consumer.ts';

export type MerchantKeys = { readonly merchantId: number; readonly secretKey: string; readonly checkoutKey: string };

export type WaitOptions<Name extends EventName> = {
  /** Only of this payment. */
  readonly paymentId?: string | undefined;
  /** Only what comes after this event. */
  readonly after?: string | undefined;
  readonly where?: ((event: EventOf<Name>) => boolean) | undefined;
  /** How long to wait; 10 s by default. */
  readonly timeoutMs?: number | undefined;
};

export type Shop = Client &
  MerchantKeys & {
    readonly url: string;
    readonly client: Client;
    /** Pays as the consumer, with a test card or by invoice; says what came of it. */
    pay(payment: string | { readonly paymentId: string }, card?: string, options?: PayOptions): Promise<Paid>;
    /** The first event of that name, as soon as it is there. */
    waitFor<Name extends EventName>(name: Name, options?: WaitOptions<Name>): Promise<EventOf<Name>>;
    readonly clock: {
      /** Forward by seconds, or by a text such as `90m`, `48h` or `8d`. */
      advance(by: number | string): Promise<TestClock>;
      to(moment: Date | string): Promise<TestClock>;
      now(): Promise<Date>;
    };
  };

const WAIT_MS = 10_000;
const UNITS_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function secondsOf(by: number | string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(String(by)) ?? [];
  const seconds = typeof by === 'number' ? by : Number(count) * (UNITS_S[unit] ?? Number.NaN);
  if (!Number.isInteger(seconds) || seconds < 1) throw new TypeError(`${by} is no time such as 90, 30m, 48h or 8d`);
  return seconds;
}

async function waitFor<Name extends EventName>(
  client: Client,
  name: Name,
  { paymentId, after, where = () => true, timeoutMs = WAIT_MS }: WaitOptions<Name>,
): Promise<EventOf<Name>> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    const told: string[] = [];
    for await (const event of client.listEvents({ paymentId, after, limit: 100 })) {
      if (event.event === name && where(event as EventOf<Name>)) return event as EventOf<Name>;
      told.push((event satisfies Event).event);
    }
    if (Date.now() > deadline) {
      const those = told.length === 0 ? 'there are no events' : `there are ${told.join(', ')}`;
      throw new Error(`waited ${timeoutMs} ms for ${name}; ${those}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export function openShop(url: string, keys: MerchantKeys, options: Partial<ClientOptions> = {}): Shop {
  const client = createClient({ ...options, url, secretKey: keys.secretKey });
  const checkout: Checkout = { url, checkoutKey: keys.checkoutKey };
  return {
    ...client,
    ...keys,
    url,
    client,
    pay: (payment, card, more) => pay(checkout, typeof payment === 'string' ? payment : payment.paymentId, card, more),
    waitFor: (name, more = {}) => waitFor(client, name, more),
    clock: {
      advance: async (by) => client.moveClock({ advanceSeconds: secondsOf(by) }),
      to: async (moment) => client.moveClock({ to: new Date(moment).toISOString() }),
      now: async () => new Date((await client.getClock()).time),
    },
  };
}
