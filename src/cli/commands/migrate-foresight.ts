// What `kassa migrate --dry-run` prints for people: each migration with the tables it locks, which queries that blocks and
// for how long, and which sessions block it now.
import type { ForeseenLock, Foresight, Holder } from '../../store/schema/foresee-migration.ts';
import { print } from '../../ops/print.ts';
import { countOf, printTable } from '../terminal/command.ts';

export const fileOf = ({ number, name }: { readonly number: number; readonly name: string }): string =>
  `${String(number).padStart(3, '0')}-${name}`;

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

function showBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 1_000 && unit < UNITS.length - 1; unit += 1) value /= 1_000;
  return `${value.toFixed(value < 10 && unit > 0 ? 1 : 0)} ${UNITS[unit]}`;
}

const showSeconds = (seconds: number): string => (seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

function showLength({ work, bytes, seconds }: ForeseenLock): string {
  const length = seconds === 0 ? 'a moment' : `about ${showSeconds(seconds)}`;
  if (work === 'none') return length;
  return `${length}: ${work === 'read' ? 'reads' : 'rewrites'} ${showBytes(bytes)}`;
}

const sessionOf = ({ pid, name }: Holder): string => (pid === null ? name : `${name} (pid ${pid})`);

function showHolder(holder: Holder): string {
  const { seconds } = holder;
  return seconds === null ? sessionOf(holder) : `${sessionOf(holder)}, for ${showSeconds(seconds)}`;
}

export function printForesight({ version, migrations, holdsUp }: Foresight): void {
  if (migrations.length === 0) {
    print(`The database is at version ${version}; nothing to do.`);
    return;
  }
  const newest = migrations.at(-1)?.number ?? version;
  print(
    `The database is at version ${version}; ${countOf(migrations.length, 'migration')} would bring it to ${newest}.\n`,
  );
  const rows = migrations.flatMap((migration) => {
    const file = fileOf(migration) + (migration.online ? ' (online)' : '');
    if (migration.locks.length === 0) return [[file, '–', 'nothing']];
    return migration.locks.map((lock, place) => [
      place === 0 ? file : '',
      lock.table,
      lock.waits,
      showLength(lock),
      lock.mode,
    ]);
  });
  printTable(['MIGRATION', 'TABLE', 'BLOCKS', 'FOR', 'LOCK'], rows);
  print('');
  // Locks are tried one after the other, so the same session may have several durations. List it once.
  const held = new Map<string, Map<string, Holder>>();
  for (const { table, heldBy } of migrations.flatMap(({ locks }) => locks))
    held.set(
      table,
      new Map([...(held.get(table) ?? []), ...heldBy.map((holder) => [sessionOf(holder), holder] as const)]),
    );
  for (const [table, holders] of held)
    if (holders.size > 0)
      print(`Sessions blocking it on ${table} now: ${[...holders.values()].map(showHolder).join('; ')}.`);
  print(
    holdsUp
      ? 'Queries would be blocked for more than a second. Nothing was changed.'
      : 'No query would be blocked for more than a second. Nothing was changed.',
  );
}
