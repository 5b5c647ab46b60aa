// What a hostile merchant does: acts by name, each a number of connections, a manner, and requests that are built
// beforehand and sent round and round. The acts are data, so that the process that carries them out spends its time on
// sockets alone.
import { randomBytes } from 'node:crypto';
import { requestText } from '../plan.ts';
import { BODIES, PATHS } from '../requests.ts';
import type { ActName } from './act-names.ts';
import { declinedPay, hookedOrder, largeOrder } from './bodies.ts';
import type { Stock } from './stock.ts';

export type Manner =
  /** Waits for its answer, then sends the next. */
  | 'asks'
  /** Sends many at once. */
  | 'pipelines'
  /** Sends one and reads nothing of what comes. */
  | 'reads nothing'
  /** Reads for a second, leaves, and comes again. */
  | 'reads a while'
  /** Is gone before the answer. */
  | 'leaves';

export type Act = {
  readonly name: ActName;
  readonly manner: Manner;
  readonly connections: number;
  readonly requests: readonly Uint8Array[];
};

// More than any cache of keys holds.
const RANDOM_KEYS = 12_000;
const HOOKED_ORDERS = 200;
const ADDRESSES_TRIED = 500;
// By a name, an amount, the beginning of a reference, and what nobody has.
const SEARCHED = ['ada', '1,435.00 SEK', 'lar', 'nobody@example.test'];
const HOST = '127.0.0.1';

const anyKey = (): string => `test-secret-key-${randomBytes(16).toString('hex')}`;

type Built = readonly [manner: Manner, connections: number, requests: readonly Uint8Array[]];

/** The acts of that name, for one who has that stock. */
export function buildActs(names: readonly ActName[], stock: Stock, floodConnections: number): Act[] {
  const { secretKey } = stock;
  const bytesOf = (
    method: 'GET' | 'POST',
    path: string,
    { body, key = secretKey, headers = '' }: { body?: object; key?: string; headers?: string } = {},
  ): Uint8Array => {
    const { before, after } = requestText(method, [path, ''], key, body);
    return Buffer.from(before + after.replace('\r\n', `\r\n${headers}`));
  };
  const at = ([before, after]: readonly [string, string], id: string): string => before + id + after;
  const create = (body: object): Uint8Array => bytesOf('POST', PATHS.create[0], { body });
  const chargeOne = (id: string): Uint8Array => bytesOf('POST', at(PATHS.charge, id), { body: { amount: 1 } });
  /** As a browser asks, of whoever is signed in. */
  const page = (
    method: 'GET' | 'POST',
    path: string,
    { form = '', coding = 'br', cookie = '' }: { form?: string; coding?: string; cookie?: string } = {},
  ): Uint8Array => {
    const head = [
      `${method} ${path} HTTP/1.1`,
      `host: ${HOST}`,
      `origin: http://${HOST}`,
      'sec-fetch-site: same-origin',
      'accept: text/html',
      `accept-encoding: ${coding}`,
      ...(cookie === '' ? [] : [`cookie: ${cookie}`]),
      ...(method === 'GET'
        ? []
        : ['content-type: application/x-www-form-urlencoded', `content-length: ${form.length}`]),
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${form}`);
  };
  const console = (method: 'GET' | 'POST', path: string): Uint8Array =>
    page(method, `/console/${stock.merchantId}/${path}`, { cookie: stock.cookie });
  const build: Record<ActName, () => Built> = {
    flood: () => [
      'asks',
      floodConnections,
      stock.smallIds.flatMap((id) => [create(BODIES.create), bytesOf('GET', at(PATHS.read, id)), chargeOne(id)]),
    ],
    hot: () => ['asks', 16, [chargeOne(stock.hotId)]],
    keys: () => [
      'asks',
      16,
      Array.from({ length: RANDOM_KEYS }, () => bytesOf('GET', at(PATHS.read, stock.hotId), { key: anyKey() })),
    ],
    large: () => ['asks', 4, [create(largeOrder(stock.largestItems))]],
    lists: () => ['asks', 10, [bytesOf('GET', '/v1/payments?limit=100&reference=large')]],
    events: () => [
      'asks',
      4,
      [bytesOf('GET', '/v1/events?limit=100'), bytesOf('GET', '/v1/events?limit=100&type=payment.charge.created')],
    ],
    streams: () => ['reads nothing', 20, [bytesOf('GET', `/v1/events/stream?after=${'0'.repeat(32)}`)]],
    hooks: () => [
      'asks',
      8,
      Array.from({ length: HOOKED_ORDERS }, (_, n) => create(hookedOrder(n, stock.hangingPort))),
    ],
    redelivery: () => [
      'asks',
      4,
      [bytesOf('POST', `/v1/webhooks/${stock.webhookId}/redeliver`, { body: { since: '1970-01-01' } })],
    ],
    invoices: () => ['leaves', 5, stock.invoicePaths.map((path) => bytesOf('GET', path))],
    tries: () => [
      'asks',
      8,
      stock.openIds.map((id) =>
        bytesOf('POST', '/api/v1/pay', {
          body: declinedPay(),
          headers: `paymentid: ${id}\r\ncheckoutkey: ${stock.checkoutKey}\r\n`,
        }),
      ),
    ],
    viewer: () => ['asks', 4, [console('GET', `payments/${stock.longestId}`)]],
    checkout: () => [
      'asks',
      16,
      [page('GET', `/hostedpaymentpage?checkoutKey=${stock.checkoutKey}&pid=${stock.longestOpenId}`)],
    ],
    exports: () => ['asks', 4, [console('POST', 'payments.csv'), console('POST', 'payments.jsonl')]],
    search: () => ['asks', 8, SEARCHED.map((text) => console('GET', `payments?q=${encodeURIComponent(text)}`))],
    overview: () => ['asks', 8, [console('GET', 'overview?days=90')]],
    tail: () => ['reads a while', 20, [bytesOf('GET', `/v1/events/stream?after=${'0'.repeat(32)}`)]],
    signin: () => [
      'asks',
      40,
      Array.from({ length: ADDRESSES_TRIED }, (_, n) =>
        page('POST', '/console/sign-in', {
          form: `email=ada-${n}%40example.test&password=otter+lamp+violin&code=123456`,
        }),
      ),
    ],
    docs: () => [
      'asks',
      16,
      ['/docs', '/docs/api', '/openapi.json', '/docs/search.js'].flatMap((path) =>
        ['br', 'gzip', 'identity'].map((coding) => page('GET', path, { coding })),
      ),
    ],
    pages: () => ['pipelines', 4, [bytesOf('GET', '/docs/api'), bytesOf('GET', '/metrics')]],
  };
  return names.map((name) => {
    const [manner, connections, requests] = build[name]();
    return { name, manner, connections, requests };
  });
}
