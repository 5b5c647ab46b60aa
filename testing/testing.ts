// `kassa/testing`: a real Kassa for a test, with a port and a database of its own; merchants, the consumer, events, the
// clock and a bank with bad days. It runs on whatever Node runs the tests; Kassa itself on the one that it brings.
import { Host } from './host.ts';
import type { HostOptions } from './host.ts';
import { cards } from './cards.ts';
import { payOnPage } from './page.ts';
import { openShop } from './shop.ts';
import type { MerchantKeys, Shop } from './shop.ts';

export type { Paid, PayOptions } from './consumer.ts';
export type { HostOptions } from './host.ts';
export type { PageLike, PayOnPageOptions } from './page.ts';
export type { MerchantKeys, Shop, WaitOptions } from './shop.ts';
export { cards, payOnPage };

export type StartOptions = HostOptions & {
  /** Settings of the service, such as `{ KASSA_PAYMENT_LIFETIME: '1h' }`. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
};

export type MerchantOptions = {
  readonly name?: string | undefined;
  readonly dialect?: 'spec' | 'nexi' | undefined;
  readonly strictItems?: boolean | undefined;
  readonly reserveOnDemand?: boolean | undefined;
  /** Its money is at the bank, which can have bad days. */
  readonly atBank?: boolean | undefined;
};

/** Probabilities from 0 to 1, and the others of docs/integrate/bank.md; what is not named is off. */
export type Faults = Readonly<Partial<Record<string, number | object>>>;

export type Bank = {
  readonly url: string;
  readonly key: string;
  /** Sets all faults at once; `{}` makes it a good day. */
  faults(faults: Faults): Promise<void>;
  /** What the bank has done. */
  book(): Promise<readonly object[]>;
};

export type Kassa = {
  readonly url: string;
  readonly databaseUrl: string;
  /** How long it took to clone its database, and to start it. */
  readonly took: { readonly databaseMs: number; readonly serviceMs: number };
  /** A merchant of its own for a test: no other sees its payments. */
  merchant(options?: MerchantOptions): Promise<Shop>;
  /** The bank of merchants with `atBank`; started again, with the same book, where it has died. */
  bank(): Promise<Bank>;
  /** The last that the service wrote to its log. */
  log(): Promise<string>;
  stop(): Promise<void>;
};

type Started = { kassa: number; url: string; databaseUrl: string; databaseMs: number; serviceMs: number };

const hosts = new Map<string, Host>();

/** One for all Kassas of this process on the same Postgres. */
function hostFor({ databaseUrl, dataDir }: HostOptions): Host {
  const place = JSON.stringify([databaseUrl, dataDir]);
  const running = hosts.get(place);
  if (running !== undefined && !running.isOver) return running;
  const host = new Host({ databaseUrl, dataDir });
  hosts.set(place, host);
  return host;
}

async function askBank(url: string, key: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: key },
    ...(body && { method: 'PUT', body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the bank answered ${response.status}: ${text}`);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/** Starts a Kassa. The first of a machine makes a database, which takes some seconds; every other clones it. */
export async function startKassa({ settings = {}, ...place }: StartOptions = {}): Promise<Kassa> {
  let host = hostFor(place);
  const start = async (): Promise<Started> => (await host.ask('start', { with: settings })) as Started;
  const { hasAnswered } = host;
  const started = await start().catch((error: unknown) => {
    // It had nothing to do for so long that it ended, just as it was asked.
    if (!hasAnswered || !host.isOver) throw error;
    host = hostFor(place);
    return start();
  });
  const { kassa, url, databaseUrl, databaseMs, serviceMs } = started;
  let stopping: Promise<unknown> | undefined;
  return {
    url,
    databaseUrl,
    took: { databaseMs, serviceMs },
    merchant: async (options = {}) => {
      const wish = JSON.parse(JSON.stringify(options)) as object;
      return openShop(url, (await host.ask('merchant', { kassa, with: wish })) as MerchantKeys);
    },
    bank: async () => {
      const { url: at, key } = (await host.ask('bank', { kassa })) as { url: string; key: string };
      return {
        url: at,
        key,
        faults: async (faults) => void (await askBank(at, key, '/faults', faults)),
        book: async () => ((await askBank(at, key, '/book?limit=5000')) as { lines: object[] }).lines,
      };
    },
    log: async () => ((await host.ask('log', { kassa })) as { text: string }).text,
    stop: async () => void (await (stopping ??= host.ask('stop', { kassa }))),
  };
}

type Use<Value> = (value: Value) => Promise<void>;

/**
 * Fixtures for Playwright's `test.extend`: `kassa`, one for each worker, and `shop`, a merchant for each test.
 */
export const fixtures = {
  kassa: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants to see which fixtures it needs: none
    async ({}: object, use: Use<Kassa>): Promise<void> => {
      const kassa = await startKassa();
      await use(kassa);
      await kassa.stop();
    },
    { scope: 'worker' as const },
  ] as const,
  shop: async ({ kassa }: { readonly kassa: Kassa }, use: Use<Shop>): Promise<void> => use(await kassa.merchant()),
};
