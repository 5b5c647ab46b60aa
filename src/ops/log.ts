// Logs to standard error, so that standard output is free for results: short lines for a person at a terminal, one JSON
// object per line for everything else. Bodies are never logged, and of headers only the request id (request-id.ts), so
// no key or card number is either. Request lines are made in server/request-logger.ts. The request log in the console is
// separate: api/request-log.
import { pino } from 'pino';
import type { Logger, LoggerOptions } from 'pino';
import type { Config } from '../config.ts';
import { textOfEntry } from './log-text.ts';

// Lines are written in blocks: a system call for each would cost more than the request itself.
const BLOCK_BYTES = 4_096;
const LONGEST_WAIT_MS = 250;

export type Log = { readonly logger: Logger; flush(): void };

/** Postgres errors contain the values of refused rows, which must not be logged. */
function describeError(error: Error): object {
  const { type, message, stack, code, constraint } = pino.stdSerializers.err(error);
  return { type, message, stack, code: code as unknown, constraint: constraint as unknown };
}

type LogSettings = Pick<Config, 'logLevel' | 'logFormat'>;

const optionsOf = (level: string, base: object | null): LoggerOptions => ({
  level,
  base,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: describeError },
});

/** The log of an embedded service: passes each JSON line on immediately. */
export const openLogTo = (level: string, write: (line: string) => void): Log => ({
  logger: pino(optionsOf(level, null), { write }),
  flush: () => {},
});

/** `number`: the number of this process, if several write to one log. */
export function openLog({ logLevel: level, logFormat }: LogSettings, number?: number): Log {
  // Writes of this size to a pipe are atomic.
  const blocks =
    number === undefined ? { minLength: BLOCK_BYTES } : { minLength: BLOCK_BYTES / 2, maxWrite: BLOCK_BYTES };
  const destination = pino.destination({ fd: 2, sync: false, ...blocks });
  const timer = setInterval(() => destination.flush(), LONGEST_WAIT_MS);
  timer.unref();
  const base = number === undefined ? null : { process: number };
  const isText = logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY);
  const forPeople = { write: (line: string) => destination.write(textOfEntry(line)) };
  const logger = pino(optionsOf(level, base), isText ? forPeople : destination);
  return {
    logger,
    flush: () => {
      clearInterval(timer);
      destination.flushSync();
    },
  };
}
