// The course of a trial: a world, clients in it who do not care what happens to it, and a trouble; then rest, and the
// judgement. Whoever runs one says which world and which trouble.
import { setTimeout as sleep } from 'node:timers/promises';
import { RetryingClient, GivenUp } from './retrying-client.ts';
import { countPending, hastenEntries, readBooks } from './books.ts';
import type { Books } from './books.ts';
import { hasten, isAtRest } from '../deliveries/rest.ts';
import { Journal } from './journal.ts';
import { judge } from './judge.ts';
import { Merchant } from './life.ts';
import { askForMany } from './many-charges.ts';
import { launch } from '../program.ts';
import { Onlookers } from './onlookers.ts';
import { Random } from './random.ts';
import { CARDS } from './reserving.ts';
import { Subscriber } from './subscriber.ts';
import { ACQUIRER } from './world.ts';
import type { World } from './world.ts';

export type Trial<Stage extends World> = {
  readonly seed: number;
  readonly clients: number;
  /** So many charges in bulks, instead of everything that clients do. */
  readonly bulk?: number;
  /** For how long clients begin something new; until the trouble is over by default. */
  readonly seconds?: number;
  /** The longest pause before a client asks again. */
  readonly longestPauseMs?: number;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  readonly open: (journal: Journal) => Promise<Stage>;
  /** When it returns, everything is up and all is fair again. `enough`: the clients are done. */
  readonly trouble: (world: Stage, journal: Journal, enough: AbortSignal) => Promise<void>;
};

export type Tried = {
  readonly tookSeconds: number;
  readonly journal: Journal;
  readonly books: Books | undefined;
  /** What the programs wrote, by name. */
  readonly logs: readonly (readonly [name: string, log: string])[];
};

// The longest pause between two questions about a movement is 75 s, and an acquirer that rests is not asked.
const REST_LIMIT_MS = 240_000;
const LOOK_EVERY_MS = 250;
const HASTEN_EVERY_MS = 10_000;
const DELIVERIES_OF_CHARGE_MS = 50;
const PROGRESS_EVERY_MS = 2_000;
// Keys that are asked for once more in the end.
const MOST_REPEATED = 300;

const SUBSCRIBERS = 0.25;

/** A payment from its beginning to its end, or some subscriptions with their charges. */
function drawStory(client: RetryingClient): { lead(): Promise<void> } {
  const { random, journal } = client;
  if (random.chance(SUBSCRIBERS)) return new Subscriber(client);
  const chargesAtOnce = random.chance(0.15);
  const odd = [CARDS.declined, CARDS.chargeDeclined, CARDS.refundDeclined, CARDS.cancelDeclined, CARDS.challenged];
  const amount = random.between(100, 100_000);
  const card = random.chance(0.25) && !chargesAtOnce ? random.choose(odd) : CARDS.good;
  return new Merchant(client, journal.beginLife({ amount, chargesAtOnce, card }));
}

/** One client: a story after the other while there is time, and the last one to its end. */
export async function serve(client: RetryingClient, hasTime: () => boolean): Promise<void> {
  const { journal } = client;
  while (hasTime()) {
    await drawStory(client)
      .lead()
      .catch((error: unknown) => {
        if (!(error instanceof GivenUp)) throw error;
        journal.note(`given up: ${error.message}`);
      });
  }
}

/** A command of Kassa's, around the wires. */
export async function runCommand(
  world: Pick<World, 'database' | 'folder'>,
  args: readonly string[],
): Promise<{ code: number | null; out: string; said: string }> {
  const env = { DATABASE_URL: world.database.url, KASSA_DATA_DIR: `${world.folder}/none` };
  const { code, out, err } = await launch(args, { env }).ended;
  return { code, out, said: out + err };
}

async function awaitRest(
  world: World,
  journal: Journal,
  clients: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let areDone = false;
  void clients.finally(() => (areDone = true)).catch(() => {});
  const deadline = performance.now() + REST_LIMIT_MS;
  let hastenAt = 0;
  for (;;) {
    const left = await countPending(world);
    if (areDone && left?.movements === 0 && left.entries === 0) return;
    if (performance.now() > deadline) {
      const clientsAre = areDone ? 'all clients are done' : 'not all clients are done';
      const pending = left
        ? `${left.movements} movements and ${left.entries} entries of bulks are pending`
        : 'the database is unavailable';
      journal.find('unfinished', `${pending}, ${clientsAre}, after ${REST_LIMIT_MS / 1_000} s of rest`);
      return;
    }
    if (left && left.entries > 0 && performance.now() > hastenAt) {
      hastenAt = performance.now() + HASTEN_EVERY_MS;
      await hastenEntries(world);
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Waits until nothing is on its way any more; the pauses between tries, which are hours in the end, are cut short. */
async function awaitDeliveries(world: World, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  return world.withPool(async (pool) => {
    while (!(await isAtRest(pool))) {
      if (performance.now() > deadline) return false;
      await hasten(pool, true);
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
    return true;
  });
}

/** The same key once more, at either service: the answer must be the one that was given. */
async function repeatKeys(world: World, journal: Journal, seed: number, signal: AbortSignal): Promise<void> {
  const client = new RetryingClient(world, journal, new Random(seed, 'repeats'), signal);
  const all = journal.lives.flatMap((life) => life.operations.map((operation) => ({ life, operation })));
  const known = all.filter(({ operation }) => operation.outcome !== 'open');
  const step = Math.max(1, Math.ceil(known.length / MOST_REPEATED));
  for (const [n, { life, operation }] of known.entries()) if (n % step === 0) await client.ask(life, operation);
}

async function verify(world: World, journal: Journal): Promise<void> {
  for (const args of [['verify'], ['reconcile', '--acquirer', ACQUIRER]]) {
    const { code, said } = await runCommand(world, args);
    journal.note(`kassa ${args.join(' ')}: ${code}\n${said}`);
    if (code !== 0) journal.find('difference', `kassa ${args.join(' ')} exits with ${code}: ${said.slice(0, 2_000)}`);
  }
}

export async function runTrial<Stage extends World>(trial: Trial<Stage>): Promise<Tried> {
  const { seed, seconds, clients, bulk, longestPauseMs, signal, onProgress } = trial;
  const beginMs = performance.now();
  const journal = new Journal(bulk === undefined);
  const given = new AbortController();
  const unfinished = AbortSignal.any([signal, given.signal]);
  const leaving = new AbortController();
  const world = await trial.open(journal);
  const progress = setInterval(() => onProgress(describe(journal, world, beginMs)), PROGRESS_EVERY_MS);
  let books: Books | undefined;
  try {
    const clientOf = (n: number) =>
      new RetryingClient(world, journal, new Random(seed, `client ${n}`), unfinished, longestPauseMs);
    const onlookers =
      bulk === undefined
        ? new Onlookers(world, journal, new Random(seed, 'onlookers'), AbortSignal.any([signal, leaving.signal]))
        : undefined;
    const charged = bulk === undefined ? undefined : await askForMany(clientOf(0), bulk);
    const overAt = performance.now() + (seconds ?? Infinity) * 1_000;
    let isOver = false;
    const hasTime = (): boolean => !isOver && performance.now() < overAt;
    const stories = charged ? [charged()] : Array.from({ length: clients }, (_, n) => serve(clientOf(n), hasTime));
    const serving = Promise.allSettled(stories);
    const enough = new AbortController();
    void serving.then(() => enough.abort());
    onlookers?.begin();
    await trial.trouble(world, journal, enough.signal);
    isOver = true;
    journal.note('*** no more troubles');
    await Promise.all([world.bank, ...world.kassas].map((program) => program.start(true)));
    await awaitRest(world, journal, serving, signal);
    given.abort();
    // Who was not done when the time of rest was over was cut off; anything else is a defect of chaos itself.
    for (const served of await serving)
      if (served.status === 'rejected' && (served.reason as Error).name !== 'AbortError') throw served.reason as Error;
    signal.throwIfAborted();
    await repeatKeys(world, journal, seed, signal);
    await awaitRest(world, journal, Promise.resolve(), signal);
    const limitMs = REST_LIMIT_MS + (bulk ?? 0) * DELIVERIES_OF_CHARGE_MS;
    if (!(await awaitDeliveries(world, limitMs, signal)))
      journal.find('unfinished', `events are still on their way after ${limitMs / 1_000} s of rest`);
    await onlookers?.finish();
    books = await readBooks(world);
    judge(journal, books);
    await verify(world, journal);
  } finally {
    given.abort();
    leaving.abort();
    clearInterval(progress);
    await world.close();
  }
  const logs = [...world.kassas, world.bank].map(({ name, log }) => [name, log] as const);
  return { tookSeconds: (performance.now() - beginMs) / 1_000, journal, books, logs };
}

function describe(journal: Journal, { kassas, bank }: World, beginMs: number): string {
  const operations = journal.lives.flatMap((life) => life.operations);
  const granted = operations.filter(({ outcome }) => outcome === 'granted').length;
  const open = operations.filter(({ outcome }) => outcome === 'open').length;
  const troubles = [...journal.troubles.values()].reduce((sum, count) => sum + count, 0);
  const down = [...kassas, bank].filter(({ url }) => url === undefined).map(({ name }) => name);
  const up = down.length === 0 ? 'all up' : `down: ${down.join(', ')}`;
  const seconds = ((performance.now() - beginMs) / 1_000).toFixed(0).padStart(4);
  const found = journal.findings.length === 0 ? '' : `, ${journal.findings.length} FINDINGS`;
  return `${seconds} s  ${granted} acknowledged, ${open} open, ${troubles} troubles, ${up}${found}`;
}
