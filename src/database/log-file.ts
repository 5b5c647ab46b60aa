// Postgres' own log: a file in the data folder to which it appends, kept from growing for ever by copying it aside and
// cutting it. Cutting needs no word to Postgres, because its handle appends; the few lines that may fall between
// the copy and the cut are worth less than a log collector.
import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, readFileSync, readSync } from 'node:fs';
import { openOwn, writeOwn } from '../folders/own-file.ts';

// Weeks of an ordinary Postgres; with the copy at most twice this (plus what an hour writes).
const LIMIT_BYTES = 10 * 1024 * 1024;
const CHECK_EVERY_MS = 10 * 60 * 1000;
// The last few messages with their details, and still readable in a terminal.
const TAIL_LINES = 15;
const TAIL_BYTES = 8 * 1024;

export function sizeOfLog(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

export function trimLog(file: string, limitBytes = LIMIT_BYTES): void {
  if (sizeOfLog(file) <= limitBytes) return;
  const log = openOwn(file, constants.O_RDWR);
  try {
    writeOwn(`${file}.1`, readFileSync(log), fstatSync(log));
    ftruncateSync(log, 0);
  } finally {
    closeSync(log);
  }
}

/** Trims the log now and then while this process lives; keeps no process alive. */
export function keepLogSmall(file: string): { stop(): void } {
  const timer = setInterval(() => {
    try {
      trimLog(file);
    } catch {
      // A full disk or a folder taken away shows itself elsewhere; the log is no reason to fall.
    }
  }, CHECK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** What was written to the log after the first `fromByte` bytes, at most its end. */
export function readLogTail(file: string, fromByte = 0): string {
  const size = sizeOfLog(file);
  const start = Math.max(size - TAIL_BYTES, Math.min(fromByte, size));
  if (start === size) return '';
  const fd = openOwn(file, constants.O_RDONLY);
  try {
    const bytes = Buffer.alloc(size - start);
    const count = readSync(fd, bytes, 0, bytes.length, start);
    return lastLines(bytes.toString('utf8', 0, count));
  } finally {
    closeSync(fd);
  }
}

export function lastLines(text: string): string {
  return text.trim().split(/\r?\n/).slice(-TAIL_LINES).join('\n');
}
