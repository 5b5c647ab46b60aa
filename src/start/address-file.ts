// The address file of a running service, in its data folder beside the sandbox keys, so that commands find it at any port.
// If several services share a folder, the last one started is found.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readOwn, writeOwn } from '../folders/own-file.ts';
import { isOurs } from '../folders/owner.ts';

type Address = {
  readonly url: string;
  /** The address of the console, if it has its own port. */
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

/** A killed service leaves its file behind. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** False if the folder is missing or not writable, which does not prevent the service from running. */
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

/** The address of the service that runs on this folder, if known. */
export const findAddress = (dataDir: string): string | undefined => findRunning(dataDir)?.url;

/** The address of its console, if that has its own port. */
export const findConsoleAddress = (dataDir: string): string | undefined => findRunning(dataDir)?.consoleUrl;

function findRunning(dataDir: string): Address | undefined {
  const address = read(dataDir);
  return address && isAlive(address.pid) ? address : undefined;
}
