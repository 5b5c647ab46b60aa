// From where Postgres was started: the processes that a process can see. A container on the same volume sees other ones, so
// that a Postgres which runs in the first looks like a dead one to the second, and Postgres itself would start beside it on
// the same files. Locks are the kernel's, and seen by all.
import { readFileSync, readlinkSync } from 'node:fs';
import { readOwn, writeOwn } from '../folders/own-file.ts';
import type { DataFolder } from './data-folder.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { tryExclusiveLock } from './folder-lock.ts';

/** The boot of the machine and the namespace of the numbers; undefined where the system does not tell. */
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

/** Throws when somebody uses a Postgres of this folder that cannot be seen from here. Asked under the change lock. */
export function refuseUnseen({ named, place, usersLock }: DataFolder): void {
  const [there, here] = [readOwn(place), readPlace()];
  if (!there || here === undefined || there === here) return;
  const unused = tryExclusiveLock(usersLock);
  unused?.release();
  if (unused === undefined)
    throw new DatabaseUnavailable(
      `The database of ${named} is in use in another container, or on another machine: run this there, or stop what runs there.`,
    );
}
