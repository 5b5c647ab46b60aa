// `npm run proof:pitr`: whether a base backup that is taken under load can be restored to a moment, and what was
// acknowledged before it is there. Then what Kassa and the bank know of each other is compared. Ends with 1 if not.
import { setTimeout as sleep } from 'node:timers/promises';
import { alignRows } from '../../src/ops/print.ts';
import { createProgress, print, runByHand } from '../by-hand.ts';
import { countPending, hastenEntries, readBooks } from '../chaos/books.ts';
import { Journal } from '../chaos/journal.ts';
import { judge } from '../chaos/judge.ts';
import { Random } from '../chaos/random.ts';
import { RetryingClient } from '../chaos/retrying-client.ts';
import { runCommand, serve } from '../chaos/trial.ts';
import { ACQUIRER, openWorld } from '../chaos/world.ts';
import type { World } from '../chaos/world.ts';
import { ArchivedPostgres } from './archived-postgres.ts';

const CLIENTS = 16;
const SEED = 1;
// Before the backup, between it and the moment, and after that.
const SERVED = 150;
const LIMIT_MS = 240_000;
const LOOK_EVERY_MS = 100;

type Difference = {
  readonly movementId: string;
  readonly difference: string;
  readonly here?: { readonly state: string };
};

/** What differs, as an operator is told. */
async function reconcile(world: World): Promise<readonly Difference[]> {
  const { code, out, said } = await runCommand(world, ['reconcile', '--acquirer', ACQUIRER, '--json']);
  if (code !== 0 && code !== 1) throw new Error(`kassa reconcile ended with ${code}: ${said}`);
  return (JSON.parse(out) as { differences: Difference[] }).differences;
}

/** What had been acknowledged at this moment, for the judge: later ones change the journal itself. */
function remember(journal: Journal): Journal {
  const remembered = new Journal();
  remembered.lives.push(...structuredClone(journal.lives));
  remembered.bulks.push(...structuredClone(journal.bulks));
  return remembered;
}

const countGranted = ({ lives }: Journal): number =>
  lives.flatMap(({ operations }) => operations).filter(({ outcome }) => outcome === 'granted').length;

async function until(what: string, signal: AbortSignal, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Everything that is wrong, after a restore to the moment at which this was acknowledged. */
async function findFaults(world: World, acknowledged: Journal, signal: AbortSignal): Promise<readonly string[]> {
  const faults: string[] = [];
  const verify = async (when: string): Promise<void> => {
    const { code, said } = await runCommand(world, ['verify']);
    if (code !== 0) faults.push(`kassa verify ends with ${code} ${when}: ${said}`);
  };
  await verify('after the restore');
  // Nobody serves yet: what the bank did after the moment is only there; what was on its way then is still open here.
  for (const { movementId, difference, here } of await reconcile(world))
    if (difference !== 'only_there' && here?.state !== 'pending')
      faults.push(`${movementId} is ${difference} before anything was served`);

  await Promise.all(world.kassas.map((kassa) => kassa.start()));
  await until('what was on its way', signal, async () => {
    const left = await countPending(world);
    if (left && left.entries > 0) await hastenEntries(world);
    return left?.movements === 0 && left.entries === 0;
  });
  await verify('after the start');
  const books = await readBooks(world);
  judge(acknowledged, books);
  faults.push(...acknowledged.findings.filter(({ kind }) => kind === 'lost').map(({ text }) => text));
  const ours = new Set(books.movements.map(({ id }) => id));
  const told = await reconcile(world);
  for (const { movementId, difference } of told)
    if (difference !== 'only_there' || ours.has(movementId)) faults.push(`${movementId} is ${difference}`);
  const named = new Set(told.map(({ movementId }) => movementId));
  // What a stored card was asked has a line of 0 there, and moves nothing.
  for (const { id, amount } of books.bank)
    if (amount !== 0 && !ours.has(id) && !named.has(id))
      faults.push(`only the bank has ${id}, and kassa reconcile does not name it`);
  print(`kassa reconcile names ${told.length} movements that only the bank has: what was done after the moment.`);
  if (told.length === 0) faults.push('nothing was done after the moment: this has proved nothing');
  return faults;
}

await runByHand('pitr', async (signal) => {
  const journal = new Journal();
  const given = new AbortController();
  const showProgress = createProgress();
  const observer = {
    seed: SEED,
    clocksDiffer: false,
    onDefect: (text: string) => journal.find('defect', text),
    onClock: () => {},
  };
  const world = await openWorld(observer, signal, async (keep) => {
    const database = keep(await ArchivedPostgres.open());
    return { database, kassaUrls: [database.url, database.url] };
  });
  try {
    const { database } = world;
    const asking = AbortSignal.any([signal, given.signal]);
    const clients = Array.from({ length: CLIENTS }, (_, n) => {
      const client = new RetryingClient(world, journal, new Random(SEED, `client ${n}`), asking);
      return serve(client, () => !asking.aborted);
    });
    const serving = Promise.allSettled(clients);
    const granted = (): number => journal.grantedAtMs.length;
    const served = async (what: string): Promise<void> => {
      const wanted = granted() + SERVED;
      await until(what, signal, () => granted() >= wanted);
      showProgress(`${what}: ${granted()} operations were granted`);
    };
    await served('before the backup');
    const before = granted();
    await database.baseBackup();
    const during = granted() - before;
    await served('before the moment');
    const acknowledged = remember(journal);
    const { at, archived } = await database.moment();
    await served('after the moment');
    await archived();
    const inAll = granted();
    await database.lose();
    given.abort();
    await serving;
    await Promise.all(world.kassas.map((kassa) => kassa.kill()));
    showProgress('');
    const rows = [
      ['before the backup', String(before)],
      ['while it was taken', String(during)],
      ['before the moment', String(countGranted(acknowledged))],
      ['before the disk was lost', String(inAll)],
    ];
    print(`Operations that were acknowledged\n${alignRows(rows)}\n\nRestored to ${at}.`);
    await database.restore(at);
    const faults = [...(await findFaults(world, acknowledged, signal)), ...journal.findings.map(({ text }) => text)];
    if (during === 0) faults.push('nothing was granted while the backup was taken: this has proved nothing');
    for (const fault of faults) print(`WRONG: ${fault}`);
    if (faults.length === 0)
      print('All that was acknowledged before the moment is there. kassa verify finds no difference.');
    return faults.length === 0 ? 0 : 1;
  } finally {
    given.abort();
    await world.close();
  }
});
