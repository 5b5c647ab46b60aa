// A steady load: so many lives of payments begin each second, whether or not those before are done. Most are paid,
// charged and in part given back; one in five is never paid and expires.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Shop } from '../deliveries/world.ts';

export type Load = { begun: number; done: number; failed: number; lastFailure: string; skipped: number };

// With more than this under way the service does not keep up; who finds it so full is counted and leaves.
const MOST_UNDER_WAY = 1_000;
const NEVER_PAID_EVERY = 5;
const REFUNDED_EVERY = 2;

const AMOUNT = 1_000;
const ITEM = { reference: 'thing', name: 'Thing', quantity: 1, unit: 'pcs', unitPrice: AMOUNT, netTotalAmount: AMOUNT };
const ORDER = {
  order: { items: [{ ...ITEM, grossTotalAmount: AMOUNT }], amount: AMOUNT, currency: 'SEK', reference: 'soak' },
  checkout: { url: 'https://shop.example/checkout' },
};

async function lead(url: string, { secretKey }: Shop, n: number): Promise<void> {
  const send = async (path: string, body: object, key?: string): Promise<Record<string, string>> => {
    const headers = {
      authorization: secretKey,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': `${n}-${key}` }),
    };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Record<string, string>;
  };
  const { paymentId } = await send('/v1/payments', ORDER, 'create');
  if (n % NEVER_PAID_EVERY === 0) return;
  await send(`/v1/sandbox/payments/${paymentId}/reserve`, {});
  const { chargeId } = await send(`/v1/payments/${paymentId}/charges`, { amount: AMOUNT }, 'charge');
  if (n % REFUNDED_EVERY === 0) await send(`/v1/charges/${chargeId}/refunds`, { amount: AMOUNT }, 'refund');
}

/** Begins lives at that rate until it is told to stop, and then waits for those under way. */
export async function keepUpLoad(
  options: { readonly url: string; readonly shop: Shop; readonly perSecond: number; readonly signal: AbortSignal },
  load: Load,
): Promise<void> {
  const { url, shop, perSecond, signal } = options;
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  const begin = (): void => {
    load.begun += 1;
    if (underWay.size >= MOST_UNDER_WAY) {
      load.skipped += 1;
      return;
    }
    const life = lead(url, shop, load.begun)
      .then(
        () => void (load.done += 1),
        (error: unknown) => {
          load.failed += 1;
          load.lastFailure = String(error);
        },
      )
      .finally(() => underWay.delete(life));
    underWay.add(life);
  };
  while (!signal.aborted) {
    while (load.begun < ((performance.now() - startedAt) / 1_000) * perSecond) begin();
    await sleep(1_000 / perSecond, undefined, { signal }).catch(() => {});
  }
  await Promise.all(underWay);
}
