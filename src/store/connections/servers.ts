// The servers that DATABASE_URL names, and which of them takes what is written. With one there is nothing to find. With
// several all are watched: when another one takes over, connections to the old one are cut, so that nobody waits for a
// server that hangs, and whoever was cut looks up on the new one what became of it. All pools of a process share one watch.
import { setTimeout as sleep } from 'node:timers/promises';
import { Probe } from './probe.ts';
import type { Standing } from './probe.ts';

/**
 * Where the database is: an address for each server. Where what is asked goes through a pooler in transaction mode, also
 * those of Postgres itself, for what needs a session.
 */
export type Database = string | { readonly pooled: string; readonly direct: string };

/** The addresses at which a session is a session. */
export const directOf = (database: Database): string => (typeof database === 'string' ? database : database.direct);

export type Servers = {
  readonly areSeveral: boolean;
  /** Settles when they were looked at for the first time. */
  readonly first: Promise<unknown>;
  /** The address of the one that was written to when they were last looked at. */
  current(): string;
  /** Looks at all of them; returns the one that takes what is written, undefined when there is none. */
  find(): Promise<string | undefined>;
  /** Told when another one has taken over. */
  onMove(told: () => void): void;
  /** Told how each of them stands, and whenever that is another kind of standing; a promotion is one, too. */
  onStanding(told: Told): void;
  close(): void;
};

const LOOK_EVERY_MS = 1_000;
// A primary that was frozen and thaws takes what is written until somebody stops it; the others are given this long to
// say that they are ahead of it.
const OTHERS_HAVE_MS = 500;

type Told = (address: string, standing: Standing) => void;

type Watch = Pick<Servers, 'current' | 'find' | 'first'> & {
  readonly told: Set<() => void>;
  readonly toldOfStanding: Set<Told>;
  readonly standings: ReadonlyMap<string, Standing>;
  users: number;
  readonly stop: () => void;
};

/** By the addresses: a process has one watch for each database, whoever connects to it. */
const watches = new Map<string, Watch>();

type Seen = { readonly address: string; readonly standing: Standing };

type Chosen = { readonly address: string; readonly timeline: number };

/**
 * The one with the newest timeline: it was promoted last. Of equals the one that is in use, then the first. Who is behind
 * the one in use was followed by that, and is never gone back to, wherever that one is now.
 */
function choose(seen: readonly Seen[], inUse: Chosen): Chosen | undefined {
  const writable = seen.filter((one): one is Seen & { standing: number } => typeof one.standing === 'number');
  const timeline = Math.max(...writable.map(({ standing }) => standing));
  const equals = writable.filter(({ standing }) => standing === timeline).map(({ address }) => address);
  const address = equals.includes(inUse.address) ? inUse.address : equals[0];
  return address === undefined || timeline < inUse.timeline ? undefined : { address, timeline };
}

function startWatch(addresses: readonly string[]): Watch {
  const probes = addresses.map((address) => new Probe(address));
  const told = new Set<() => void>();
  const toldOfStanding = new Set<Told>();
  const standings = new Map<string, Standing>();
  const ended = new AbortController();
  let inUse: Chosen = { address: addresses[0] as string, timeline: 0 };
  let finding: Promise<string | undefined> | undefined;

  /** One late answer is nobody's absence: that is told of when the next one does not come either. */
  const late = new Set<string>();
  const noted = new WeakSet<Promise<Standing>>();
  const note = (address: string, standing: Standing): void => {
    const isFirstMiss = standing === 'away' && !late.has(address);
    if (standing === 'away') late.add(address);
    else late.delete(address);
    if (isFirstMiss || standings.get(address) === standing || ended.signal.aborted) return;
    standings.set(address, standing);
    for (const tell of toldOfStanding) tell(address, standing);
  };

  const look = async (): Promise<string | undefined> => {
    const seen: Seen[] = [];
    const { promise: found, resolve: stopWaiting } = Promise.withResolvers<void>();
    const asked = probes.map(async (probe) => {
      const asking = probe.ask();
      const standing = await asking;
      seen.push({ address: probe.address, standing });
      // Two looks may have waited for the same answer.
      if (!noted.has(asking)) note(probe.address, standing);
      noted.add(asking);
      // Nobody is known to be followed at first: then all are waited for.
      if (typeof standing === 'number' && inUse.timeline > 0) setTimeout(stopWaiting, OTHERS_HAVE_MS).unref();
    });
    await Promise.race([Promise.all(asked), found]);
    const chosen = choose(seen, inUse);
    if (chosen === undefined) return undefined;
    const hasMoved = chosen.address !== inUse.address;
    inUse = chosen;
    if (hasMoved) for (const tell of told) tell();
    return chosen.address;
  };
  const find = (): Promise<string | undefined> => (finding ??= look().finally(() => (finding = undefined)));

  const { promise: first, resolve: firstSeen } = Promise.withResolvers<void>();
  const watch: Watch = {
    find,
    first,
    current: () => inUse.address,
    told,
    toldOfStanding,
    standings,
    users: 0,
    stop: () => {
      ended.abort();
      for (const probe of probes) probe.close();
    },
  };
  const goOn = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await find();
      firstSeen();
      await sleep(LOOK_EVERY_MS, undefined, { ref: false, signal: ended.signal });
    }
  };
  goOn().catch(() => {});
  return watch;
}

const onlyOne = (address: string): Servers => ({
  areSeveral: false,
  first: Promise.resolve(),
  current: () => address,
  find: async () => address,
  onMove: () => {},
  onStanding: () => {},
  close: () => {},
});

export function openServers(url: string): Servers {
  const addresses = url.split(' ');
  if (addresses.length === 1) return onlyOne(url);
  const watch = watches.get(url) ?? startWatch(addresses);
  watches.set(url, watch);
  watch.users += 1;
  const own = new Set<() => void>();
  const ownOfStanding = new Set<Told>();
  return {
    areSeveral: true,
    first: watch.first,
    current: watch.current,
    find: watch.find,
    onMove: (told) => {
      own.add(told);
      watch.told.add(told);
    },
    onStanding: (told) => {
      ownOfStanding.add(told);
      watch.toldOfStanding.add(told);
      for (const [address, standing] of watch.standings) told(address, standing);
    },
    close: () => {
      for (const told of own) watch.told.delete(told);
      for (const told of ownOfStanding) watch.toldOfStanding.delete(told);
      watch.users -= 1;
      if (watch.users > 0) return;
      watches.delete(url);
      watch.stop();
    },
  };
}
