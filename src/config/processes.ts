// How many processes serve on one port: a number, or as many as the machine has cores for us.
import { availableParallelism } from 'node:os';
import { BadConfig } from './bad-config.ts';

const MOST = 64;
// Each holds 31 connections and the embedded Postgres allows 200: so there is room for one more while they are replaced,
// and for a worker.
const MOST_ON_EMBEDDED = 4;

/** `isEmbedded`: whether they share the Postgres that Kassa brings. */
export function readProcesses(text: string, isEmbedded: boolean, cores = availableParallelism()): number {
  const most = isEmbedded ? MOST_ON_EMBEDDED : MOST;
  if (text === 'auto') return Math.min(cores, most);
  const count = Number(text);
  if (!/^[1-9]\d{0,2}$/.test(text) || count > MOST)
    throw new BadConfig(
      `KASSA_PROCESSES is ${JSON.stringify(text)}; it must be a number from 1 to ${MOST}, or auto: one for each core.`,
    );
  if (count > most)
    throw new BadConfig(
      `KASSA_PROCESSES is ${count}, but the embedded Postgres has room for ${most}: set DATABASE_URL to one of yours.`,
    );
  return count;
}
