// What the hostile merchant has laid in before it begins: payments as large as the service takes them, small ones to
// charge, invoices of a thousand lines, a webhook that hangs. All through the API, so that it works on any version, and
// at whatever pace it allows.
import { setTimeout as sleep } from 'node:timers/promises';
import { BODIES, PATHS } from '../requests.ts';
import type { ActName } from './act-names.ts';
import { largeCharge, largeOrder, longInvoice, MOST_LARGE_CHARGES } from './bodies.ts';
import type { Merchant, SharedKassa } from './shared-kassa.ts';

export type Stock = Merchant & {
  readonly hangingPort: number;
  readonly smallIds: readonly string[];
  readonly openIds: readonly string[];
  readonly hotId: string;
  readonly largestItems: number;
  /** Bytes of the largest payment, as it is read. */
  readonly largestBytes: number;
  readonly largePayments: number;
  readonly invoicePaths: readonly string[];
  readonly webhookId: string;
  /** Of a person in the console. */
  readonly cookie: string;
  /** As long as an order may be, charged again and again; and one that nobody has paid. */
  readonly longestId: string;
  readonly longestOpenId: string;
};

const SMALL = 32;
const OPEN = 8;
// More than a page of a list holds, which ends by bytes; they are laid in at the rate of a test merchant.
const LARGE = 8;
// More than the service keeps printed.
const INVOICES = 36;
const AT_ONCE = 4;
const ITEMS_TRIED = [1_000, 500, 250, 100, 50];
const ANSWER_LIMIT_MS = 60_000;
const LIMIT_MS = 240_000;
const PAUSE_MS = 250;
// For lists and exports.
const MANY = 2_000;
const MANY_AT_ONCE = 64;
const NEEDS_MANY: ReadonlySet<ActName> = new Set(['exports', 'search', 'overview']);
const LONG_CHARGES = 230;
const IN_CONSOLE: ReadonlySet<ActName> = new Set(['viewer', 'exports', 'search', 'overview']);
const NEEDS_LARGE: ReadonlySet<ActName> = new Set(['lists', 'events', 'streams', 'tail', 'redelivery']);

type Answer = { readonly status: number; readonly text: string };

const isToComeAgain = (status: number): boolean => status === 429 || status === 503;

class Shopper {
  readonly #kassa: SharedKassa;
  readonly #secretKey: string;
  readonly #until = performance.now() + LIMIT_MS;
  readonly #signal: AbortSignal;

  constructor(kassa: SharedKassa, { secretKey }: Merchant, signal: AbortSignal) {
    this.#kassa = kassa;
    this.#secretKey = secretKey;
    this.#signal = signal;
  }

  /** Whatever the answer is, but not that one is to come again later: then one does. */
  async send(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    for (;;) {
      this.#signal.throwIfAborted();
      const response = await fetch(`http://127.0.0.1:${this.#kassa.port}${path}`, {
        method,
        headers: { authorization: this.#secretKey, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
      });
      const text = await response.text();
      if (!isToComeAgain(response.status) || performance.now() > this.#until) return { status: response.status, text };
      await sleep(PAUSE_MS, undefined, { signal: this.#signal });
    }
  }

  /** The first value of the answer, which is an id; anything but success is an error. */
  async must(method: 'GET' | 'POST', path: string, body?: object): Promise<string> {
    const { status, text } = await this.send(method, path, body);
    if (status !== 200 && status !== 201) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    return Object.values(JSON.parse(text) as object)[0] as string;
  }

  create(body: object = BODIES.create): Promise<string> {
    return this.must('POST', PATHS.create[0], body);
  }

  async reserve(paymentId: string, body: object = {}): Promise<string> {
    const [before, after] = PATHS.reserve;
    await this.must('POST', before + paymentId + after, body);
    return paymentId;
  }

  charge(paymentId: string, body: object): Promise<Answer> {
    return this.send('POST', `${PATHS.charge[0]}${paymentId}${PATHS.charge[1]}`, body);
  }

  /** Makes so many at once a few, in order. */
  async many<Made>(count: number, make: () => Promise<Made>, atOnce = AT_ONCE): Promise<Made[]> {
    const made: Made[] = [];
    const makeOn = async (): Promise<void> => {
      while (made.length < count && performance.now() < this.#until) made.push(await make());
    };
    await Promise.all(Array.from({ length: atOnce }, makeOn));
    return made.slice(0, count);
  }
}

/** The most items that one order may have, by trying. */
async function findLargestOrder(shopper: Shopper): Promise<number> {
  for (const items of ITEMS_TRIED)
    if ((await shopper.send('POST', PATHS.create[0], largeOrder(items))).status === 201) return items;
  throw new Error('no large order is taken');
}

/** Charged item by item until the service refuses; says how large it got. */
async function makeLarge(shopper: Shopper, items: number): Promise<number> {
  const paymentId = await shopper.reserve(await shopper.create(largeOrder(items)));
  for (let count = 0; count < MOST_LARGE_CHARGES; count += 1)
    if ((await shopper.charge(paymentId, largeCharge(items))).status !== 201) break;
  return Buffer.byteLength((await shopper.send('GET', PATHS.read[0] + paymentId)).text);
}

async function makeInvoice(shopper: Shopper): Promise<string> {
  const paymentId = await shopper.reserve(await shopper.create(longInvoice()), { paymentType: 'INVOICE' });
  await shopper.charge(paymentId, { amount: 100_000 });
  const { text } = await shopper.send('GET', PATHS.read[0] + paymentId);
  const link = /"pdfLink":"([^"]+)"/.exec(text)?.[1];
  if (link === undefined) throw new Error(`an invoice has no link: ${text.slice(0, 500)}`);
  return new URL(link).pathname;
}

/** A thousand items, and charges by the hundred. */
async function makeLong(shopper: Shopper): Promise<string> {
  const paymentId = await shopper.reserve(await shopper.create(longInvoice()));
  await shopper.many(LONG_CHARGES, () => shopper.charge(paymentId, { amount: 100 }));
  return paymentId;
}

/** At an address that hangs or, where such addresses are not taken, at a name that is dead. */
async function makeWebhook(shopper: Shopper, hangingPort: number): Promise<string> {
  const { status, text } = await shopper.send('POST', '/v1/webhooks', { url: `http://127.0.0.1:${hangingPort}/all` });
  if (status === 201) return (JSON.parse(text) as { webhookId: string }).webhookId;
  return shopper.must('POST', '/v1/webhooks', { url: 'https://dead.kassa-fair.example/all' });
}

export async function layInStock(
  kassa: SharedKassa,
  merchant: Merchant,
  { acts, hangingPort, signal }: { acts: readonly ActName[]; hangingPort: number; signal: AbortSignal },
): Promise<Stock> {
  const shopper = new Shopper(kassa, merchant, signal);
  const has = (name: ActName): boolean => acts.includes(name);
  const largestItems = await findLargestOrder(shopper);
  const large = acts.some((name) => NEEDS_LARGE.has(name)) ? LARGE : 1;
  const sizes = await shopper.many(large, () => makeLarge(shopper, largestItems));
  await shopper.many(acts.some((name) => NEEDS_MANY.has(name)) ? MANY : 0, () => shopper.create(), MANY_AT_ONCE);
  return {
    ...merchant,
    hangingPort,
    largestItems,
    largestBytes: Math.max(...sizes),
    largePayments: sizes.length,
    smallIds: await shopper.many(SMALL, async () => shopper.reserve(await shopper.create())),
    openIds: await shopper.many(OPEN, () => shopper.create()),
    hotId: await shopper.reserve(await shopper.create()),
    invoicePaths: has('invoices') ? await shopper.many(INVOICES, () => makeInvoice(shopper)) : [],
    cookie: acts.some((name) => IN_CONSOLE.has(name)) ? await kassa.signIn(merchant) : '',
    longestId: has('viewer') ? await makeLong(shopper) : '',
    longestOpenId: has('checkout') ? await shopper.create(longInvoice()) : '',
    webhookId: has('redelivery') ? await makeWebhook(shopper, hangingPort) : '',
  };
}
