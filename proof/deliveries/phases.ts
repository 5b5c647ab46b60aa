// The three measurements: how many events a second are delivered, what one endpoint notices when others hang, and
// whether every event arrives when an endpoint fails half the time and workers are killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../chaos/random.ts';
import { listEvents } from '../../src/store/events/events.ts';
import { openEndpoint } from './endpoints.ts';
import type { Endpoint, Manner } from './endpoints.ts';
import { hasten, isAtRest } from './rest.ts';
import { EVENTS_OF_A_PAYMENT } from './world.ts';
import type { Shop, World } from './world.ts';

const AT_ONCE = 32;
const PAGE = 1_000;
const LOOK_EVERY_MS = 200;
const HASTEN_EVERY_MS = 500;
const KILL_EVERY_MS = 2_000;
// The load beside which delays are measured: steady, and well below what can be delivered.
const STEADY_EVERY_MS = 20;

export type Phase = { readonly world: World; readonly seed: number; readonly payments: number };

export type Rate = { readonly deliveries: number; readonly seconds: number };
export type Delays = { readonly p50: number; readonly p99: number; readonly count: number };
export type Hang = { readonly alone: Delays; readonly besideHanging: Delays; readonly hanging: number };
export type Arrival = {
  readonly events: number;
  readonly kills: number;
  readonly seconds: number;
  readonly endpoints: readonly {
    readonly manner: Manner;
    readonly attempts: number;
    readonly arrived: number;
    readonly lost: number;
    readonly duplicates: number;
  }[];
};

async function payMany(world: World, shop: Shop, count: number, ownHookUrl?: string): Promise<void> {
  let left = count;
  const payOn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await world.pay(shop, ownHookUrl);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, payOn));
}

/** Waits until nothing of the merchant is on its way any more. */
async function awaitRest({ pool }: World, { merchant }: Shop): Promise<void> {
  while (!(await isAtRest(pool, merchant.id))) await sleep(LOOK_EVERY_MS);
}

async function withEndpoints<Result>(
  manners: readonly Manner[],
  seed: number,
  use: (endpoints: readonly Endpoint[]) => Promise<Result>,
): Promise<Result> {
  const endpoints = await Promise.all(manners.map((manner, n) => openEndpoint(manner, new Random(seed, `${n}`))));
  try {
    return await use(endpoints);
  } finally {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
  }
}

export function measureRate({ world, seed, payments }: Phase): Promise<Rate> {
  return withEndpoints(['takes'], seed, async ([endpoint]) => {
    const shop = await world.openShop();
    await world.subscribe(shop, endpoint?.url ?? '');
    await payMany(world, shop, payments);
    for (const worker of world.workers) worker.start();
    await sleep(LOOK_EVERY_MS);
    await awaitRest(world, shop);
    for (const worker of world.workers) await worker.kill();
    const [first = 0, last = 0] = [endpoint?.firstAt(), endpoint?.lastAt()];
    return { deliveries: endpoint?.taken.size ?? 0, seconds: (last - first) / 1_000 };
  });
}

function delaysOf({ delaysMs }: Endpoint): Delays {
  const sorted = delaysMs.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), count: sorted.length };
}

/** A steady load; every event arrives at the endpoint before this returns. */
async function payEvenly(world: World, shop: Shop, count: number, endpoint: Endpoint): Promise<Delays> {
  endpoint.forget();
  const paying: Promise<void>[] = [];
  for (let n = 0; n < count; n += 1) {
    paying.push(world.pay(shop));
    await sleep(STEADY_EVERY_MS);
  }
  await Promise.all(paying);
  while (endpoint.taken.size < count * EVENTS_OF_A_PAYMENT.length) await sleep(LOOK_EVERY_MS);
  return delaysOf(endpoint);
}

export function measureHang({ world, seed, payments }: Phase, hanging: number): Promise<Hang> {
  const manners: Manner[] = ['takes', ...Array.from({ length: hanging }, () => 'hangs' as const)];
  return withEndpoints(manners, seed, async ([fast, ...others]) => {
    if (fast === undefined) throw new Error('there is no endpoint');
    const shop = await world.openShop();
    await world.subscribe(shop, fast.url);
    for (const worker of world.workers) worker.start();
    await payEvenly(world, shop, Math.ceil(payments / 10), fast);
    const alone = await payEvenly(world, shop, payments, fast);
    for (const { url } of others) await world.subscribe(shop, url);
    const besideHanging = await payEvenly(world, shop, payments, fast);
    for (const worker of world.workers) await worker.kill();
    return { alone, besideHanging, hanging };
  });
}

async function listIds({ pool }: World, { merchant: { id: merchantId } }: Shop): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0; ;) {
    const { events } = await listEvents(pool, { merchantId, after, limit: PAGE });
    ids.push(...events.map(({ id }) => id));
    const last = events.at(-1);
    if (last === undefined) return ids;
    after = last.position;
  }
}

export type Harm = { readonly fewestKills: number; readonly endLeases: boolean };

export function proveArrival({ world, seed, payments }: Phase, { fewestKills, endLeases }: Harm): Promise<Arrival> {
  const manners = ['takes', 'fails half'] as const;
  return withEndpoints(manners, seed, async ([sound, flaky]) => {
    const shop = await world.openShop();
    await world.subscribe(shop, sound?.url ?? '');
    const begunAt = performance.now();
    const random = new Random(seed, 'kills');
    const { workers } = world;
    for (const worker of workers) worker.start();
    let kills = 0;
    const paid = new AbortController();
    const done = new AbortController();
    const trouble = async (): Promise<void> => {
      while (!paid.signal.aborted || kills < fewestKills) {
        await sleep(KILL_EVERY_MS);
        const worker = random.choose(workers);
        await worker.kill();
        kills += 1;
        worker.start();
      }
    };
    const passDays = async (): Promise<void> => {
      while (!done.signal.aborted) {
        await sleep(HASTEN_EVERY_MS);
        await hasten(world.pool, endLeases);
      }
    };
    const troubled = trouble();
    const hastened = passDays();
    await payMany(world, shop, payments, flaky?.url);
    paid.abort();
    await troubled;
    await awaitRest(world, shop);
    done.abort();
    await hastened;
    for (const worker of workers) await worker.kill();
    const ids = await listIds(world, shop);
    const endpoints = [sound, flaky].map((endpoint, n) => {
      const counts = ids.map((id) => endpoint?.taken.get(id) ?? 0);
      const arrived = counts.filter((count) => count > 0).length;
      const duplicates = counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
      const attempts = endpoint?.attempts() ?? 0;
      return { manner: manners[n] ?? 'takes', attempts, arrived, lost: ids.length - arrived, duplicates };
    });
    return { events: ids.length, kills, seconds: (performance.now() - begunAt) / 1_000, endpoints };
  });
}
