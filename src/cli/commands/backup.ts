// `kassa backup`: the embedded database as one file, taken while Kassa serves. A Postgres of one's own has better tools,
// which are named instead.
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
const TELL_EVERY_MS = 5_000;
const MEGABYTE = 1_000_000;

/** All databases of the server, and the part of its log that goes along. */
const ABOUT = `select (select sum(pg_database_size(oid)) from pg_database)::float8 +
    (select coalesce(sum(size), 0) from pg_ls_waldir())::float8 as bytes,
  (select system_identifier::text from pg_control_system()) as system, now() as "takenAt"`;
type About = { readonly bytes: number; readonly system: string; readonly takenAt: Date };

export function requireEmbedded({ databaseUrl }: Config, command: string): void {
  if (databaseUrl === undefined) return;
  throw new UserError(
    `DATABASE_URL names a Postgres of yours, and kassa ${command} is for the embedded one alone: use pg_dump, or ` +
      'pg_basebackup with an archive of the log, as "Backup and verify" of the documentation shows.',
  );
}

function readKeep(text: string | boolean | undefined): number | undefined {
  if (text === undefined) return undefined;
  const keep = Number(text);
  if (!/^\d{1,5}$/.test(String(text)) || keep < 1 || keep > MOST_KEPT)
    throw new UserError(`--keep is ${String(text)}; it must be a number from 1 to ${MOST_KEPT}.`);
  return keep;
}

/** Where the file goes: that very file, or a folder, which is made. */
function placeOf(to: string): { readonly folder: string; readonly file?: string } {
  const path = resolve(to);
  const isFolder = existsSync(path) ? statSync(path).isDirectory() : !path.endsWith(SUFFIX);
  try {
    if (isFolder) mkdirSync(path, { recursive: true, mode: 0o700 });
    const folder = isFolder ? path : dirname(path);
    if (!statSync(folder).isDirectory()) throw new UserError(`${folder} is no folder.`);
    if (!isFolder && existsSync(path)) throw new UserError(`${path} is there already, and nothing is written over it.`);
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
    `The database takes ${showBytes(bytes)}, and the disk of ${folder} has ${showBytes(room.freeBytes)} free: make room there, ` +
      'or name a folder on another disk.',
  );
}

/** Deletes the oldest backups of this database beyond so many; those of another one in the same folder stay. */
async function forgetOldest(folder: string, keep: number, system: string): Promise<string[]> {
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
    throw new UserError(`--keep goes with a folder, and ${to} is a file.`);
  const beganAt = performance.now();
  const progress = openProgress({ noun: 'MB', step: 'Copying', tellEveryMs: TELL_EVERY_MS });
  return withEmbedded(config, async (url) => {
    const [about] = await withPool(url, (pool: Pool) => pool.query<About>(ABOUT), 1);
    const { bytes, system, takenAt } = about as About;
    requireRoom(place.folder, bytes);
    const file = place.file ?? join(place.folder, nameOf(takenAt));
    if (existsSync(file)) throw new UserError(`${file} is there already, and nothing is written over it.`);
    const size = await writeBackup(
      { dataDir: config.dataDir, url, file },
      { kassa: version, bytes, system, takenAt: takenAt.toISOString() },
      (done) => progress.show(Math.round(done / MEGABYTE), Math.round(bytes / MEGABYTE)),
    );
    const removed = keep === undefined ? [] : await forgetOldest(place.folder, keep, system);
    return { file, bytes: size, takenAt, seconds: (performance.now() - beganAt) / 1_000, removed };
  }).finally(() => progress.end());
}

export const backupCommand: Command = {
  usage: 'FOLDER|FILE [--keep N] [--json]',
  more:
    'The copy is one moment of the database, taken while Kassa serves; it holds the keys of the sandbox as well.\n' +
    'kassa restore makes a database of it. The file has its name only when it is whole. Keep it on another disk.',
  positionals: ['FOLDER|FILE'],
  options: {
    keep: {
      type: 'string',
      value: 'N',
      what: 'Then delete the oldest backups of this database in the folder, beyond N.',
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
