// How many processes serve on one port: a number, or one per core.
import { availableParallelism } from 'node:os';
import { BadConfig } from './bad-config.ts';

const MOST = 64;
// Each uses 31 connections and the embedded Postgres allows 200, which leaves room for one more process during a restart,
// and for a worker.
const MOST_ON_EMBEDDED = 4;

/** `isEmbedded`: whether they use the embedded Postgres. */
export function readProcesses(text: string, isEmbedded: boolean, cores = availableParallelism()): number {
  const most = isEmbedded ? MOST_ON_EMBEDDED : MOST;
  if (text === 'auto') return Math.min(cores, most);
  const count = Number(text);
  if (!/^[1-9]\d{0,2}$/.test(text) || count > MOST)
    throw new BadConfig(
      `KASSA_PROCESSES is ${JSON.stringify(text)}; it must be a number from 1 to ${MOST}, or auto for one per core.`,
    );
  if (count > most)
    throw new BadConfig(
      `KASSA_PROCESSES is ${count}, but the embedded Postgres supports at most ${most}: set DATABASE_URL to your own Postgres.`,
    );
  return count;
}
