// The scenario `bulk`: what one merchant notices while ten thousand charges of another are worked off in bulks. The victim
// of `fair` is measured alone and then beside them, on one service; nobody else asks for anything meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { withVictim } from './fair/run.ts';
import type { Fair } from './fair/run.ts';
import { WITHOUT_RATES, withDataFolder, withSharedKassa } from './fair/shared-kassa.ts';
import type { SharedKassa } from './fair/shared-kassa.ts';
import { MEASURED } from './fair/victim-plan.ts';
import type { Measured, VictimResult } from './fair/victim-plan.ts';
import { Histogram } from './histogram.ts';
import { BODIES } from './requests.ts';
import { alignColumns } from './table.ts';

export type BulkOptions = Pick<Fair, 'seconds' | 'root' | 'log' | 'profile' | 'signal' | 'onProgress'>;

export type BulkResult = {
  readonly alone: VictimResult;
  readonly beside: VictimResult;
  /** Entries that were done while the victim was measured beside them, and those that waited in the end. */
  readonly done: number;
  readonly left: number;
};

// Each is in every bulk once.
const SUBSCRIPTIONS = 1_000;
const BULKS = 10;
const BEGUN_AT_ONCE = 8;
const SETTLE_MS = 1_000;
// What others may notice of it, at most.
const MOST_RATIO = 1.5;

class Biller {
  readonly #url: string;
  readonly #secretKey: string;

  constructor({ port }: SharedKassa, secretKey: string) {
    this.#url = `http://127.0.0.1:${port}`;
    this.#secretKey = secretKey;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- responses are inspected field by field
  async send(method: 'GET' | 'POST', path: string, body?: object): Promise<any> {
    const headers = { authorization: this.#secretKey, 'content-type': 'application/json' };
    const response = await fetch(this.#url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  async subscribe(): Promise<string> {
    const created = await this.send('POST', '/v1/payments', { ...BODIES.create, subscription: { interval: 0 } });
    await this.send('POST', `/v1/sandbox/payments/${created.paymentId}/reserve`, {});
    return (await this.send('GET', `/v1/payments/${created.paymentId}`)).payment.subscription.id as string;
  }

  async charge(name: string, ids: readonly string[]): Promise<string> {
    const { order } = BODIES.create;
    const subscriptions = ids.map((subscriptionId) => ({ subscriptionId, order }));
    return (await this.send('POST', '/v1/subscriptions/charges', { externalBulkChargeId: name, subscriptions })).bulkId;
  }

  async countLeft(bulkIds: readonly string[]): Promise<number> {
    let left = 0;
    for (const id of bulkIds) {
      const { page } = await this.send('GET', `/v1/subscriptions/charges/${id}`);
      left += (page as { status: string }[]).filter(({ status }) => status === 'Pending').length;
    }
    return left;
  }
}

async function subscribeMany(biller: Biller): Promise<string[]> {
  const ids: string[] = [];
  let left = SUBSCRIPTIONS;
  const begin = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      ids.push(await biller.subscribe());
    }
  };
  await Promise.all(Array.from({ length: BEGUN_AT_ONCE }, begin));
  return ids;
}

export async function runBulk(options: BulkOptions): Promise<BulkResult> {
  const { onProgress } = options;
  // The bulks come as fast as they can be sent.
  return withDataFolder((dataDir) =>
    withSharedKassa({ ...options, dataDir, settings: WITHOUT_RATES }, async (kassa) => {
      const { secretKey } = await kassa.openMerchant('Biller');
      const biller = new Biller(kassa, secretKey);
      onProgress(`bulk: beginning ${SUBSCRIPTIONS} subscriptions`);
      const ids = await subscribeMany(biller);
      return withVictim(kassa, options, async (measure) => {
        onProgress('bulk: the victim alone');
        const alone = await measure(options.seconds);
        onProgress(`bulk: the victim beside ${SUBSCRIPTIONS * BULKS} charges`);
        const bulkIds: string[] = [];
        for (let n = 0; n < BULKS; n += 1) bulkIds.push(await biller.charge(`bulk-${n}`, ids));
        await sleep(SETTLE_MS);
        const before = await biller.countLeft(bulkIds);
        const beside = await measure(options.seconds);
        const left = await biller.countLeft(bulkIds);
        return { alone, beside, done: before - left, left };
      });
    }),
  );
}

const percentile = (told: VictimResult, kind: Measured, share: number): number =>
  new Histogram(told.counts[kind]).percentileMs(share);

const totalOf = (counts: Readonly<Record<number, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const figuresOf = ({ alone, beside }: BulkResult, kind: Measured) => ({
  operation: kind,
  aloneP50Ms: percentile(alone, kind, 0.5),
  aloneP99Ms: percentile(alone, kind, 0.99),
  besideP50Ms: percentile(beside, kind, 0.5),
  besideP99Ms: percentile(beside, kind, 0.99),
  ratio: percentile(beside, kind, 0.99) / percentile(alone, kind, 0.99),
  requests: beside.requests[kind],
  refused: totalOf(beside.refused[kind]),
});

const isHeld = (result: BulkResult): boolean =>
  result.left > 0 &&
  MEASURED.map((kind) => figuresOf(result, kind)).every(({ ratio, refused }) => ratio <= MOST_RATIO && refused === 0);

export const bulkJson = (result: BulkResult): object => ({
  victim: MEASURED.map((kind) => figuresOf(result, kind)),
  done: result.done,
  left: result.left,
});

export function bulkTable(result: BulkResult, seconds: number): string {
  const headings = ['victim', 'alone p50', 'p99', 'beside p50', 'p99 ms', 'ratio', 'requests', 'refused'];
  const rows = MEASURED.map((kind) => {
    const { aloneP50Ms, aloneP99Ms, besideP50Ms, besideP99Ms, ratio, requests, refused } = figuresOf(result, kind);
    const times = [aloneP50Ms, aloneP99Ms, besideP50Ms, besideP99Ms].map((ms) => ms.toFixed(1));
    return [kind, ...times, ratio.toFixed(2), String(requests), String(refused)];
  });
  const pace = Math.round(result.done / seconds);
  return [
    `bulk: ${SUBSCRIPTIONS * BULKS} charges of another merchant in ${BULKS} bulks; ${seconds} s for each figure`,
    '',
    ...alignColumns([headings, ...rows]),
    '',
    `About ${pace} charges a second were worked off meanwhile, and ${result.left} were left in the end.`,
    `ratio: the p99 beside them to that alone; it is to stay at ${MOST_RATIO} or below, and nothing is to be refused.`,
    isHeld(result) ? 'It is held.' : 'It is not held.',
  ].join('\n');
}
