// Explains a full disk in one sentence: where, how much is free, and what to do. It is recognized by the messages of
// Postgres and Node or, since a log on that disk may be empty, by the free space.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

const NO_ROOM = /No space left on device|Disk quota exceeded|disk is full|disk full|ENOSPC|EDQUOT/i;
// Postgres needs a 16 MB WAL segment before it can do anything; below this, the disk is the cause.
const NOTHING_BYTES = 1024 * 1024;

type Room = { readonly freeBytes: number; readonly bytes: number };

/** The space on the disk of a folder or its nearest existing parent; undefined if the system does not report it. */
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

/** The message, if the error or the free space shows that the disk of that folder is full. */
export function explainFullDisk(folder: string, said: string, failed: string): string | undefined {
  const room = roomOf(folder);
  const isNothingFree = room !== undefined && room.bytes > 0 && room.freeBytes < NOTHING_BYTES;
  if (!NO_ROOM.test(said) && !isNothingFree) return undefined;
  const free = room && room.bytes > 0 ? `, with ${showBytes(room.freeBytes)} of ${showBytes(room.bytes)} free` : '';
  return (
    `The disk of ${folder} has no space left${free}, and ${failed}. Free up space, or set KASSA_DATA_DIR to a folder ` +
    'on another disk. A new database takes 60 MB, and grows with the payments.'
  );
}
