// The boot and pid namespace in which Postgres was started. In another container on the same volume its process is not
// visible, so that a second Postgres would be started on the same files. Locks are visible to both.
import { readFileSync, readlinkSync } from 'node:fs';
import { readOwn, writeOwn } from '../folders/own-file.ts';
import type { DataFolder } from './data-folder.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { tryExclusiveLock } from './folder-lock.ts';

/** The boot id and the pid namespace; undefined if the system does not have them. */
function readPlace(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

export function notePlace({ place }: DataFolder): void {
  writeOwn(place, readPlace() ?? '');
}

/** Throws if a Postgres of this folder is in use that is not visible from here. Called under the change lock. */
export function refuseUnseen({ named, place, usersLock }: DataFolder): void {
  const [there, here] = [readOwn(place), readPlace()];
  if (!there || here === undefined || there === here) return;
  const unused = tryExclusiveLock(usersLock);
  unused?.release();
  if (unused === undefined)
    throw new DatabaseUnavailable(
      `The database of ${named} is in use in another container, or on another machine: run this there, or stop Kassa there.`,
    );
}
