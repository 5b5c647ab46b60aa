// Goal: events are made as they are read, so that nobody's unread page is held in memory. Method: a store that counts
// what is loaded, and a reader that stops.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment } from '../../src/domain/payment.ts';
import { presentEvents } from '../../src/api/parts/event-presenter.ts';
import { LargePayment } from '../../src/store/payments/load.ts';
import type { StoredEvent } from '../../src/store/events/events.ts';
import type { Store } from '../../src/store/store.ts';

const EVENTS: StoredEvent[] = Array.from({ length: 100 }, (_, n) => ({
  id: `event-${n}`,
  merchantId: 1,
  position: n + 1,
  name: 'payment.checkout.completed',
  at: 0,
  subjectId: `payment-${n}`,
  version: 1,
  ordinal: 0,
}));

const paymentOf = (id: string): Payment =>
  ({
    id,
    order: { amount: 1, currency: 'SEK', items: [] },
    consumer: {},
    checkout: {},
    movements: [],
  }) as unknown as Payment;

test('what is not read is not loaded; a large payment is loaded when its turn comes', async () => {
  const [small, large]: [string[], string[]] = [[], []];
  const store = {
    loadIfSmall: async ({ target }: { target: string }) => {
      small.push(target);
      return target.endsWith('5') ? new LargePayment(1_000_000) : { payment: paymentOf(target) };
    },
    load: async ({ target }: { target: string }) => {
      large.push(target);
      return { payment: paymentOf(target) };
    },
  } as unknown as Store;
  const texts = presentEvents(store, EVENTS, { publicUrl: 'https://pay.example' });
  for (let read = 0; read < 6; read += 1) await texts.next();
  assert.deepEqual([small.length, large], [32, ['payment-5']]);
  const rest: string[] = [];
  for await (const text of texts) rest.push(text);
  assert.equal(rest.length, 94);
  assert.deepEqual([small.length, large.length], [100, 10]);
  assert.match(rest.at(-1) ?? '', /payment-99/);
});
