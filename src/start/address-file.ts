// Where the service of a data folder listens, in a file beside its sandbox's keys for as long as it runs: so that commands
// of the same folder find it at whichever port. Of several on one folder, the last that started is found.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readOwn, writeOwn } from '../folders/own-file.ts';
import { isOurs } from '../folders/owner.ts';

type Address = {
  readonly url: string;
  /** Where people reach the console, if it has a port of its own. */
  readonly consoleUrl?: string;
  readonly pid: number;
};

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
export function writeAddress(dataDir: string, address: Omit<Address, 'pid'>): boolean {
  if (!isOurs(dataDir)) return false;
  try {
    writeOwn(fileOf(dataDir), `${JSON.stringify({ ...address, pid: process.pid })}\n`);
    return true;
  } catch {
    return false;
  }
}

export async function removeAddress(dataDir: string): Promise<void> {
  if (read(dataDir)?.pid === process.pid) await rm(fileOf(dataDir), { force: true });
}

/** The address of the service that runs on this folder, as far as it is known. */
export const findAddress = (dataDir: string): string | undefined => findRunning(dataDir)?.url;

/** The same of its console, where that has a port of its own. */
export const findConsoleAddress = (dataDir: string): string | undefined => findRunning(dataDir)?.consoleUrl;

function findRunning(dataDir: string): Address | undefined {
  const address = read(dataDir);
  return address && isAlive(address.pid) ? address : undefined;
}
