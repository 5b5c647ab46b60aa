// Where the service of a data folder listens, in a file beside its sandbox's keys for as long as it runs: so that commands
// of the same folder find it at whichever port. Of several on one folder, the last that started is found.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readOwn, writeOwn } from '../folders/own-file.ts';
import { isOurs } from '../folders/owner.ts';

type Address = { readonly url: string; readonly pid: number };

const fileOf = (dataDir: string): string => join(dataDir, 'address.json');

function read(dataDir: string): Address | undefined {
  if (!isOurs(dataDir)) return undefined;
  try {
    const address = JSON.parse(readOwn(fileOf(dataDir)) ?? '{}') as Partial<Address>;
    return typeof address.url === 'string' && typeof address.pid === 'number' ? (address as Address) : undefined;
  } catch {
    return undefined;
  }
}

/** One that was killed leaves its file. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** False when the folder is not there or not to be written: that is no reason not to serve. */
export function writeAddress(dataDir: string, url: string): boolean {
  if (!isOurs(dataDir)) return false;
  try {
    writeOwn(fileOf(dataDir), `${JSON.stringify({ url, pid: process.pid })}\n`);
    return true;
  } catch {
    return false;
  }
}

export async function removeAddress(dataDir: string): Promise<void> {
  if (read(dataDir)?.pid === process.pid) await rm(fileOf(dataDir), { force: true });
}

/** The address of the service that runs on this folder, as far as it is known. */
export function findAddress(dataDir: string): string | undefined {
  const address = read(dataDir);
  return address && isAlive(address.pid) ? address.url : undefined;
}
