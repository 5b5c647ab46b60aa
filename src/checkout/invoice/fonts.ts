// The typeface of an invoice: DejaVu Sans Condensed, which has Latin, Greek and Cyrillic, and digits of one width. It
// is read and parsed once, since parsing takes longer than drawing a whole invoice (40 of 50 ms); a document takes
// from it only the glyphs that it uses.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';

/** A parsed font, as pdfkit keeps and takes it. */
type Font = { readonly hasGlyphForCodePoint: (codePoint: number) => boolean; _glyphs: object };
type Fonts = { readonly regular: Font; readonly bold: Font };

const FOLDER = 'dejavu-fonts-ttf/ttf';

let read: Fonts | undefined;

// pdfkit takes a parsed font wherever it takes the bytes of one, but its types say nothing of it, nor does it export
// its parser: a document that nobody sees parses the font.
function parseFont(file: string): Font {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(`${FOLDER}/${file}`));
  const document = new PDFDocument({ font: bytes as never, autoFirstPage: false });
  return (document as unknown as { readonly _font: { readonly font: Font } })._font.font;
}

export function readFonts(): Fonts {
  read ??= { regular: parseFont('DejaVuSansCondensed.ttf'), bold: parseFont('DejaVuSansCondensed-Bold.ttf') };
  return read;
}

/**
 * To be called as soon as a document has taken its glyphs. The parser keeps glyphs with the characters that they were
 * first asked for, and those that are parts of others (the y of ý) it keeps without any: the next document would show
 * such a letter, but nobody could search or hear it.
 */
export function forgetGlyphs(): void {
  for (const font of Object.values(readFonts())) font._glyphs = {};
}

/** Stands for what the typeface lacks: CJK, most emoji. */
const REPLACEMENT = '\uFFFD';

// Asking the typeface costs more than all the rest; the characters of Unicode are the limit of what is kept.
const known = new Map<string, boolean>();

function hasGlyph(sign: string): boolean {
  const { regular, bold } = readFonts();
  const codePoint = sign.codePointAt(0) ?? 0;
  const has = known.get(sign) ?? (regular.hasGlyphForCodePoint(codePoint) && bold.hasGlyphForCodePoint(codePoint));
  known.set(sign, has);
  return has;
}

/**
 * A text as it can be printed on one line: characters that steer the text's direction or show nothing are left out, so
 * that what is seen is what is there; any run of white space is one space; what the typeface lacks has a sign.
 */
export function printable(text: string): string {
  if (/^[!-~]*$/.test(text)) return text;
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp} ]+/gu, ' ')
    .trim();
  return Array.from(plain, (sign) => (hasGlyph(sign) ? sign : REPLACEMENT)).join('');
}
