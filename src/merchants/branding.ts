// The branding of a merchant's checkout: validates colours and logos. A logo is a plain image, small enough for the
// database and for phones.
import { createHash } from 'node:crypto';
import type { Logo } from '../store/merchants/merchant-branding.ts';

export const LARGEST_LOGO_BYTES = 65_536;
// A few bytes can decompress to a billion pixels on a phone.
export const MOST_PIXELS_A_SIDE = 2_000;

export type LogoMisfit = 'too_large' | 'no_picture' | 'too_many_pixels';

type Size = { readonly width: number; readonly height: number };

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const PNG_SIZE_AT = 16;

function sizeOfPng(bytes: Buffer): Size | undefined {
  if (bytes.length < PNG_SIZE_AT + 8 || !bytes.subarray(0, PNG.length).equals(PNG)) return undefined;
  return { width: bytes.readUInt32BE(PNG_SIZE_AT), height: bytes.readUInt32BE(PNG_SIZE_AT + 4) };
}

/** Whether a JPEG segment is a frame header: C0 to CF, except those for tables. */
const beginsPicture = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function sizeOfJpeg(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  // A segment is FF, its kind, and its length with these two bytes.
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + Math.max(2, bytes.readUInt16BE(at + 2)))
    if (beginsPicture(bytes[at + 1] ?? 0))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  return undefined;
}

/** The bytes of a file as a logo, or why they are not valid. */
export function readLogoBytes(bytes: Buffer): Logo | LogoMisfit {
  if (bytes.length > LARGEST_LOGO_BYTES) return 'too_large';
  const png = sizeOfPng(bytes);
  const size = png ?? sizeOfJpeg(bytes);
  if (size === undefined || size.width === 0 || size.height === 0) return 'no_picture';
  if (size.width > MOST_PIXELS_A_SIDE || size.height > MOST_PIXELS_A_SIDE) return 'too_many_pixels';
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { type: png ? 'image/png' : 'image/jpeg', bytes, digest };
}

/** Parses six hex digits, with or without #; undefined if invalid. */
export function readColour(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1];
  return digits && `#${digits.toLowerCase()}`;
}
