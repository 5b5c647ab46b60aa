// The branding options of `kassa merchant update`: a colour, and the file of a logo.
import { closeSync, openSync, readSync } from 'node:fs';
import { LARGEST_LOGO_BYTES, MOST_PIXELS_A_SIDE, readColour, readLogoBytes } from '../../merchants/branding.ts';
import type { LogoMisfit } from '../../merchants/branding.ts';
import { UserError } from '../../ops/user-error.ts';
import type { Logo, BrandingChange } from '../../store/merchants/merchant-branding.ts';
import type { Option, Options } from '../terminal/command.ts';

/** Removes the current value. */
const NONE = 'none';

export const BRANDING_OPTIONS: Readonly<Record<string, Option>> = {
  colour: {
    type: 'string',
    value: '#RRGGBB',
    what: `Colour of the button and of selected items in its checkout; ${NONE} restores the default.`,
  },
  logo: {
    type: 'string',
    value: 'FILE',
    what: `Logo above the checkout instead of its name: a PNG or JPEG of at most 64 KiB; ${NONE} removes it.`,
  },
};

/** Reads at most one byte more than the largest logo. */
function readFile(file: string): Buffer {
  const bytes = Buffer.alloc(LARGEST_LOGO_BYTES + 1);
  try {
    const handle = openSync(file, 'r');
    try {
      return bytes.subarray(0, readSync(handle, bytes));
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new UserError(`--logo cannot be read: ${(error as Error).message}`);
  }
}

function explain(why: LogoMisfit, file: string): UserError {
  switch (why) {
    case 'too_large':
      return new UserError(`--logo ${file} is larger than 64 KiB. An image 400 pixels wide is enough.`);
    case 'no_picture':
      return new UserError(`--logo ${file} is neither a PNG nor a JPEG.`);
    case 'too_many_pixels':
      return new UserError(`--logo ${file} has more than ${MOST_PIXELS_A_SIDE} pixels on a side.`);
  }
}

function readLogo(file: string): Logo | null {
  if (file === NONE) return null;
  const logo = readLogoBytes(readFile(file));
  if (typeof logo === 'string') throw explain(logo, file);
  return logo;
}

function readShown(text: string): string | null {
  if (text === NONE) return null;
  const colour = readColour(text);
  if (colour === undefined) throw new UserError(`--colour is ${text}; it must be six hex digits, such as #0b6e4f.`);
  return colour;
}

export function readBranding({ colour, logo }: Options): BrandingChange {
  return {
    ...(typeof colour === 'string' && { colour: readShown(colour) }),
    ...(typeof logo === 'string' && { logo: readLogo(logo) }),
  };
}
