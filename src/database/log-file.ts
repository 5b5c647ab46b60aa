// The Postgres log, a file in the data folder. It is rotated by copying and truncating it, which works without Postgres
// since it appends. A few lines may be lost in between.
import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, readFileSync, readSync } from 'node:fs';
import { openOwn, writeOwn } from '../folders/own-file.ts';

// Weeks of a normal Postgres; with the copy at most twice this, plus an hour's output.
const LIMIT_BYTES = 10 * 1024 * 1024;
const CHECK_EVERY_MS = 10 * 60 * 1000;
// The last few messages with details, still readable in a terminal.
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

/** Rotates the log periodically; does not keep the process alive. */
export function keepLogSmall(file: string): { stop(): void } {
  const timer = setInterval(() => {
    try {
      trimLog(file);
    } catch {
      // A full disk or missing folder is reported elsewhere.
    }
  }, CHECK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** The end of the log after the first `fromByte` bytes. */
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
