// `kassa backup`: backs up the embedded database to one file, while Kassa is running. For an external Postgres it refers to
// Postgres's own tools.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { readBackupNote, writeBackup } from '../../database/backup.ts';
import { roomOf, showBytes } from '../../database/full-disk.ts';
import { print } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { version } from '../../ops/version.ts';
import { withEmbedded, withPool } from '../../start/database.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { countOf, JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { openProgress } from '../terminal/progress.ts';

const SUFFIX = '.tar.gz';
const OURS = /^kassa-\d{8}T\d{6}Z\.tar\.gz$/;
const MOST_KEPT = 10_000;
const SHOW_EVERY_MS = 5_000;
const MEGABYTE = 1_000_000;

/** The size of all databases of the server, and of the write-ahead log that goes with them. */
const ABOUT = `select (select sum(pg_database_size(oid)) from pg_database)::float8 +
    (select coalesce(sum(size), 0) from pg_ls_waldir())::float8 as bytes,
  (select system_identifier::text from pg_control_system()) as system, now() as "takenAt"`;
type About = { readonly bytes: number; readonly system: string; readonly takenAt: Date };

export function requireEmbedded({ databaseUrl }: Config, command: string): void {
  if (databaseUrl === undefined) return;
  throw new UserError(
    `DATABASE_URL is set, and kassa ${command} only works with the embedded Postgres: use pg_dump, or pg_basebackup ` +
      'with WAL archiving, as described in "Backup and verify".',
  );
}

function readKeep(text: string | boolean | undefined): number | undefined {
  if (text === undefined) return undefined;
  const keep = Number(text);
  if (!/^\d{1,5}$/.test(String(text)) || keep < 1 || keep > MOST_KEPT)
    throw new UserError(`--keep is ${String(text)}; it must be a number from 1 to ${MOST_KEPT}.`);
  return keep;
}

/** The target: a file, or a folder, which is created if necessary. */
function placeOf(to: string): { readonly folder: string; readonly file?: string } {
  const path = resolve(to);
  const isFolder = existsSync(path) ? statSync(path).isDirectory() : !path.endsWith(SUFFIX);
  try {
    if (isFolder) mkdirSync(path, { recursive: true, mode: 0o700 });
    const folder = isFolder ? path : dirname(path);
    if (!statSync(folder).isDirectory()) throw new UserError(`${folder} is not a folder.`);
    if (!isFolder && existsSync(path)) throw new UserError(`${path} already exists.`);
    return { folder, ...(!isFolder && { file: path }) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new UserError(`${path} cannot be written to (${code}).`);
  }
}

const nameOf = (moment: Date): string => `kassa-${moment.toISOString().replaceAll(/[-:]|\.\d+/g, '')}${SUFFIX}`;

function requireRoom(folder: string, bytes: number): void {
  const room = roomOf(folder);
  if (room === undefined || room.bytes === 0 || room.freeBytes >= bytes) return;
  throw new UserError(
    `The database has ${showBytes(bytes)}, but the disk of ${folder} has only ${showBytes(room.freeBytes)} free: free up ` +
      'space, or choose a folder on another disk.',
  );
}

/** Deletes all but the newest backups of this database; backups of other databases in the folder stay. */
async function deleteOldest(folder: string, keep: number, system: string): Promise<string[]> {
  const ours = [];
  for (const name of readdirSync(folder)
    .filter((one) => OURS.test(one))
    .toSorted()
    .toReversed())
    if ((await readBackupNote(join(folder, name)))?.system === system) ours.push(join(folder, name));
  const old = ours.slice(keep);
  for (const file of old) rmSync(file);
  return old;
}

async function backUp(config: Config, to: string, keep: number | undefined) {
  const place = placeOf(to);
  if (place.file !== undefined && keep !== undefined)
    throw new UserError(`--keep requires a folder, but ${to} is a file.`);
  const beganAt = performance.now();
  const progress = openProgress({ noun: 'MB', step: 'Copying', showEveryMs: SHOW_EVERY_MS });
  return withEmbedded(config, async (url) => {
    const [about] = await withPool(url, (pool: Pool) => pool.query<About>(ABOUT), 1);
    const { bytes, system, takenAt } = about as About;
    requireRoom(place.folder, bytes);
    const file = place.file ?? join(place.folder, nameOf(takenAt));
    if (existsSync(file)) throw new UserError(`${file} already exists.`);
    const size = await writeBackup(
      { dataDir: config.dataDir, url, file },
      { kassa: version, bytes, system, takenAt: takenAt.toISOString() },
      (done) => progress.show(Math.round(done / MEGABYTE), Math.round(bytes / MEGABYTE)),
    );
    const removed = keep === undefined ? [] : await deleteOldest(place.folder, keep, system);
    return { file, bytes: size, takenAt, seconds: (performance.now() - beganAt) / 1_000, removed };
  }).finally(() => progress.end());
}

export const backupCommand: Command = {
  usage: 'FOLDER|FILE [--keep N] [--json]',
  more:
    'The backup is a consistent snapshot, taken while Kassa is running; it includes the keys of the sandbox.\n' +
    'Restore it with kassa restore. The file gets its name only when it is complete. Store it on another disk.',
  positionals: ['FOLDER|FILE'],
  options: {
    keep: {
      type: 'string',
      value: 'N',
      what: 'Delete all but the N newest backups of this database in the folder.',
    },
    json: JSON_OPTION,
  },
  run: async ({ config, options, positionals: [to = ''] }) => {
    requireEmbedded(config, 'backup');
    const { file, bytes, takenAt, seconds, removed } = await backUp(config, to, readKeep(options['keep']));
    if (options['json']) printJson({ file, bytes, takenAt: takenAt.toISOString(), removed });
    else {
      const gone = removed.length === 0 ? '' : ` ${countOf(removed.length, 'older backup')} deleted.`;
      print(`${file}: ${showBytes(bytes)} in ${seconds.toFixed(1)} s.${gone}`);
    }
    return 0;
  },
};
