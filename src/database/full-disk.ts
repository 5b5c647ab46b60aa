// A disk without room, told as one sentence: where, how much is free, and what to do. Postgres and Node each say it in
// their own way, and a log on that very disk says nothing; then what is free tells.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

const NO_ROOM = /No space left on device|Disk quota exceeded|disk is full|disk full|ENOSPC|EDQUOT/i;
// Postgres needs a segment of its log, 16 MB, before it can do anything; below this nothing else is to blame.
const NOTHING_BYTES = 1024 * 1024;

type Room = { readonly freeBytes: number; readonly bytes: number };

/** Of the disk of a folder, or of the one that it would be made in; undefined where the system does not tell. */
export function roomOf(folder: string): Room | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, bytes: blocks * bsize };
  } catch {
    return dirname(folder) === folder ? undefined : roomOf(dirname(folder));
  }
}

export function showBytes(bytes: number): string {
  const unit = [1e12, 1e9, 1e6].find((one) => bytes >= one) ?? 1e6;
  const count = bytes / unit;
  return `${count.toFixed(unit === 1e6 || count >= 100 ? 0 : 1)} ${{ 1e12: 'TB', 1e9: 'GB', 1e6: 'MB' }[unit]}`;
}

/** The sentence, where what was said, or what is free, tells that the disk of that folder has no room. */
export function explainFullDisk(folder: string, said: string, failed: string): string | undefined {
  const room = roomOf(folder);
  const isNothingFree = room !== undefined && room.bytes > 0 && room.freeBytes < NOTHING_BYTES;
  if (!NO_ROOM.test(said) && !isNothingFree) return undefined;
  const free = room && room.bytes > 0 ? `, with ${showBytes(room.freeBytes)} of ${showBytes(room.bytes)} free` : '';
  return (
    `The disk of ${folder} has no space left${free}, and ${failed}. Make room there, or set KASSA_DATA_DIR to a folder ` +
    'on another disk. A new database takes 60 MB, and grows with the payments.'
  );
}
