// A minimal tar reader and writer for backups: files and folders with short names, as written by Postgres. Any tar can read
// the result.
import { Buffer } from 'node:buffer';

const BLOCK = 512;

export type Entry = { readonly name: string; readonly isFolder: boolean; readonly bytes: number };

/** Receives the entries of an archive in order, each in chunks. */
export type Reader = {
  onEntry(entry: Entry): void;
  onPiece(bytes: Buffer): void;
  onEntryEnd(): void;
};

/** Not an archive, or a forged one. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}

const paddingOf = (bytes: number): number => (BLOCK - (bytes % BLOCK)) % BLOCK;

const sumOf = (header: Buffer): number =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);

/** A small file with header and padding. */
export function tarFile(name: string, text: string): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(
    `${Math.floor(Date.now() / 1_000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  );
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc(paddingOf(content.length))]);
}

const textAt = (header: Buffer, from: number, to: number): string => {
  const end = header.subarray(from, to).indexOf(0);
  return header.toString('utf8', from, end === -1 ? to : from + end);
};

function readHeader(header: Buffer): Entry {
  if (Number.parseInt(textAt(header, 148, 156), 8) !== sumOf(header)) throw new BadArchive('a header is damaged');
  const prefix = textAt(header, 345, 500);
  const name = ((prefix === '' ? '' : `${prefix}/`) + textAt(header, 0, 100)).replace(/^\.\//, '');
  const bytes = Number.parseInt(textAt(header, 124, 136), 8);
  const type = textAt(header, 156, 157);
  const parts = name.replace(/\/$/, '').split('/');
  const isInside =
    !name.startsWith('/') && parts.every((part) => !['', '.', '..'].includes(part)) && !/[\0\\:]/.test(name);
  if (!isInside || !Number.isSafeInteger(bytes) || !['0', '', '5'].includes(type))
    throw new BadArchive(`it contains ${JSON.stringify(name)}, which no backup of Kassa has`);
  return { name: parts.join('/'), isFolder: type === '5', bytes: type === '5' ? 0 : bytes };
}

/** Reads an archive in chunks; `end` throws if it is incomplete. */
export function readTar(reader: Reader): { take(bytes: Buffer): void; end(): void } {
  let rest: Buffer = Buffer.alloc(0);
  let left = 0;
  let padding = 0;
  let isOpen = false;
  let isOver = false;
  const close = (): void => {
    if (isOpen) reader.onEntryEnd();
    isOpen = false;
  };
  return {
    take: (bytes) => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      while (!isOver) {
        if (left > 0) {
          if (rest.length === 0) return;
          const piece = rest.subarray(0, left);
          reader.onPiece(piece);
          left -= piece.length;
          rest = rest.subarray(piece.length);
          continue;
        }
        close();
        if (rest.length < padding + BLOCK) return;
        const header = rest.subarray(padding, padding + BLOCK);
        rest = rest.subarray(padding + BLOCK);
        isOver = header.every((byte) => byte === 0);
        if (isOver) return;
        const entry = readHeader(header);
        reader.onEntry(entry);
        isOpen = true;
        left = entry.bytes;
        padding = paddingOf(entry.bytes);
      }
    },
    end: () => {
      if (!isOver) throw new BadArchive('it is truncated');
    },
  };
}
