// The servers in DATABASE_URL, and which one is the primary. A single server is always used. Several are watched: after
// a failover, connections to the old primary are closed, so that no request waits for a server that hangs, and its
// outcome is looked up on the new one. All pools of a process share one watch.
import { setTimeout as sleep } from 'node:timers/promises';
import { PrimaryProbe } from './primary-probe.ts';
import type { ServerState } from './primary-probe.ts';

/**
 * The address of each server. With a pooler in transaction mode, also the direct addresses, for what needs a session.
 */
export type Database = string | { readonly pooled: string; readonly direct: string };

/** The addresses that keep sessions. */
export const directOf = (database: Database): string => (typeof database === 'string' ? database : database.direct);

export type Servers = {
  readonly areSeveral: boolean;
  /** Resolves after the first check. */
  readonly first: Promise<unknown>;
  /** The address of the primary at the last check. */
  current(): string;
  /** Checks all servers; returns the primary, undefined if there is none. */
  find(): Promise<string | undefined>;
  /** Called after a failover. */
  onMove(listener: () => void): void;
  /** Called with the state of each server now, and on every change; a promotion is a change, too. */
  onStateChange(listener: StateListener): void;
  close(): void;
};

const LOOK_EVERY_MS = 1_000;
// An old primary that was frozen accepts writes again when it resumes; the others have this long to report a newer
// timeline.
const OTHERS_HAVE_MS = 500;

type StateListener = (address: string, state: ServerState) => void;

type Watch = Pick<Servers, 'current' | 'find' | 'first'> & {
  readonly moveListeners: Set<() => void>;
  readonly stateListeners: Set<StateListener>;
  readonly states: ReadonlyMap<string, ServerState>;
  users: number;
  readonly stop: () => void;
};

/** By addresses: a process has one watch per database, shared by all connections. */
const watches = new Map<string, Watch>();

type Seen = { readonly address: string; readonly state: ServerState };

type Chosen = { readonly address: string; readonly timeline: number };

/**
 * The server with the newest timeline: it was promoted last. Among equals, the current one, then the first. A server on
 * an older timeline than the current one is never used again, even if the current one is away.
 */
function choose(seen: readonly Seen[], inUse: Chosen): Chosen | undefined {
  const writable = seen.filter((one): one is Seen & { state: number } => typeof one.state === 'number');
  const timeline = Math.max(...writable.map(({ state }) => state));
  const equals = writable.filter(({ state }) => state === timeline).map(({ address }) => address);
  const address = equals.includes(inUse.address) ? inUse.address : equals[0];
  return address === undefined || timeline < inUse.timeline ? undefined : { address, timeline };
}

function startWatch(addresses: readonly string[]): Watch {
  const probes = addresses.map((address) => new PrimaryProbe(address));
  const moveListeners = new Set<() => void>();
  const stateListeners = new Set<StateListener>();
  const states = new Map<string, ServerState>();
  const ended = new AbortController();
  let inUse: Chosen = { address: addresses[0] as string, timeline: 0 };
  let finding: Promise<string | undefined> | undefined;

  /** A single late answer does not count as away; a second one does. */
  const late = new Set<string>();
  const noted = new WeakSet<Promise<ServerState>>();
  const note = (address: string, state: ServerState): void => {
    const isFirstMiss = state === 'away' && !late.has(address);
    if (state === 'away') late.add(address);
    else late.delete(address);
    if (isFirstMiss || states.get(address) === state || ended.signal.aborted) return;
    states.set(address, state);
    for (const listener of stateListeners) listener(address, state);
  };

  const look = async (): Promise<string | undefined> => {
    const seen: Seen[] = [];
    const { promise: found, resolve: stopWaiting } = Promise.withResolvers<void>();
    const asked = probes.map(async (probe) => {
      const asking = probe.ask();
      const state = await asking;
      seen.push({ address: probe.address, state });
      // Two checks may have shared an answer.
      if (!noted.has(asking)) note(probe.address, state);
      noted.add(asking);
      // At first no timeline is known: then wait for all.
      if (typeof state === 'number' && inUse.timeline > 0) setTimeout(stopWaiting, OTHERS_HAVE_MS).unref();
    });
    await Promise.race([Promise.all(asked), found]);
    const chosen = choose(seen, inUse);
    if (chosen === undefined) return undefined;
    const hasMoved = chosen.address !== inUse.address;
    inUse = chosen;
    if (hasMoved) for (const listener of moveListeners) listener();
    return chosen.address;
  };
  const find = (): Promise<string | undefined> => (finding ??= look().finally(() => (finding = undefined)));

  const { promise: first, resolve: firstSeen } = Promise.withResolvers<void>();
  const watch: Watch = {
    find,
    first,
    current: () => inUse.address,
    moveListeners,
    stateListeners,
    states,
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
  onStateChange: () => {},
  close: () => {},
});

export function openServers(url: string): Servers {
  const addresses = url.split(' ');
  if (addresses.length === 1) return onlyOne(url);
  const watch = watches.get(url) ?? startWatch(addresses);
  watches.set(url, watch);
  watch.users += 1;
  const ownMoveListeners = new Set<() => void>();
  const ownStateListeners = new Set<StateListener>();
  return {
    areSeveral: true,
    first: watch.first,
    current: watch.current,
    find: watch.find,
    onMove: (listener) => {
      ownMoveListeners.add(listener);
      watch.moveListeners.add(listener);
    },
    onStateChange: (listener) => {
      ownStateListeners.add(listener);
      watch.stateListeners.add(listener);
      for (const [address, state] of watch.states) listener(address, state);
    },
    close: () => {
      for (const listener of ownMoveListeners) watch.moveListeners.delete(listener);
      for (const listener of ownStateListeners) watch.stateListeners.delete(listener);
      watch.users -= 1;
      if (watch.users > 0) return;
      watches.delete(url);
      watch.stop();
    },
  };
}
