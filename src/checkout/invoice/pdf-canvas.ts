// The canvas of a PDF: A4 pages with text and lines at exact positions, and tags for screen readers. Everything drawn is
// either tagged content or an artifact. Line and page breaks are made here and in the table, not by pdfkit, so that
// measurements match the drawing.
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { forgetGlyphs, printable, readFonts } from './fonts.ts';

/** Points of a page; text stands between these edges. */
export const LEFT = 57;
export const RIGHT = 538;
export const TOP = 74;
export const BOTTOM = 772;
export const PAGE_WIDTH = 595.28;
const PAGE_HEIGHT = 841.89;

export const INK = '#17202a';
export const GREY = '#5a6573';
export const LINE = '#dfe3e8';
export const TINT = '#f2f4f7';
export const ALARM = '#b3261e';

export type Style = { readonly size: number; readonly bold?: boolean; readonly color?: string };
type Structure = ReturnType<PDFKit.PDFDocument['struct']>;

export type Canvas = {
  /** Where the next thing goes, in points from the top of the page. */
  y: number;
  readonly widthOf: (text: string, style: Style) => number;
  readonly wrap: (text: string, style: Style, width: number) => string[];
  /** One line with its baseline at y; for align right, x is its right end. */
  readonly write: (text: string, x: number, y: number, style: Style, align?: 'left' | 'right') => void;
  readonly line: (x1: number, x2: number, y: number, color: string, weight: number) => void;
  readonly box: (x: number, y: number, width: number, height: number, fill: string, stroke?: string) => void;
  /** Draws lightly across the page, below everything that comes after it. */
  readonly watermark: (text: string) => void;
  /** Content, of a kind such as P, H1 or TD; into the document itself unless a part of it is named. */
  readonly tag: (kind: string, draw: () => void, into?: Structure, scope?: 'Column') => void;
  /** A part of the document that holds others, such as a table; `end` when it has all of them. */
  readonly open: (kind: string, into?: Structure) => Structure;
  /** Decoration, ignored by screen readers. */
  readonly decorate: (draw: () => void) => void;
  readonly breakPage: () => void;
  readonly has: (height: number) => boolean;
  /** Draws on each page when their number is known, then gives the file. */
  readonly finish: (drawOnPage: (page: number, of: number) => void) => Promise<Buffer>;
};

type CanvasOptions = {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  readonly createdAt: number;
  /** Draws what every page has, below everything else. */
  readonly onPage: (canvas: Canvas, page: number) => void;
};

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

// pdfkit does not escape the author in XML, so XML characters are replaced by similar ones.
const XML_LIKES: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '&': '＆' };
const withoutXml = (text: string): string => text.replaceAll(/[<>&]/g, (sign) => XML_LIKES[sign] ?? '');

/** Breaks a word that is wider than the line wherever the line ends. */
function chop(word: string, widthOf: (text: string) => number, width: number): string[] {
  const lines = [''];
  let used = 0;
  for (const { segment } of graphemes.segment(word)) {
    const wide = widthOf(segment);
    const fits = used + wide <= width || used === 0;
    if (fits) lines.push(`${lines.pop() ?? ''}${segment}`);
    else lines.push(segment);
    used = fits ? used + wide : wide;
  }
  return lines;
}

/**
 * Fills lines with words; a line may end at a space, and after a hyphen or a slash. A line is as wide as its words: to
 * measure it anew with each word would take time by the square, and a text of hyphens alone for seconds.
 */
function fillLines(text: string, widthOf: (text: string) => number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(/(?<=[ /-])/u)) {
    const wide = widthOf(word.trimEnd());
    if (used + wide <= width) {
      line += word;
      used += widthOf(word);
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    const pieces = wide <= width ? [word] : chop(word, widthOf, width);
    line = pieces.pop() ?? '';
    used = widthOf(line);
    lines.push(...pieces);
  }
  if (line.trimEnd() !== '') lines.push(line.trimEnd());
  return lines;
}

export function openCanvas(options: CanvasOptions): Canvas {
  const fonts = readFonts();
  const createdAt = new Date(options.createdAt);
  const document = new PDFDocument({
    size: [PAGE_WIDTH, PAGE_HEIGHT],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: options.language,
    // No clock: the same invoice is the same file, byte for byte.
    info: {
      Title: withoutXml(printable(options.title)),
      Author: withoutXml(printable(options.author)),
      Creator: 'Kassa',
      CreationDate: createdAt,
      ModDate: createdAt,
    },
    // No font of pdfkit's own: a typeface that is not in the file looks different everywhere.
    font: null as never,
  });
  document.registerFont('regular', fonts.regular as never).registerFont('bold', fonts.bold as never);
  const root = document.struct('Document');
  document.addStructure(root);

  // A table measures each text before it is drawn, and many texts come again: whatever was asked once is kept.
  const printed = new Map<string, string>();
  const show = (text: string): string => {
    const known = printed.get(text) ?? printable(text);
    printed.set(text, known);
    return known;
  };
  const widths = { regular: new Map<string, number>(), bold: new Map<string, number>() };

  const choose = ({ size, bold = false }: Style): void => {
    document.font(bold ? 'bold' : 'regular').fontSize(size);
  };
  /** Widths grow with the size, so they are kept for the size of one. */
  const measure = ({ size, bold = false }: Style) => {
    const known = bold ? widths.bold : widths.regular;
    return (text: string): number => {
      let width = known.get(text);
      if (width === undefined) {
        choose({ size: 1, bold });
        width = document.widthOfString(text);
        known.set(text, width);
      }
      return width * size;
    };
  };

  let pages = 0;
  const canvas: Canvas = {
    y: TOP,
    widthOf: (text, style) => measure(style)(show(text)),
    wrap(text, style, width) {
      const line = show(text);
      const widthOf = measure(style);
      if (line !== '' && widthOf(line) <= width) return [line];
      return fillLines(line, widthOf, width);
    },
    write(text, x, y, style, align = 'left') {
      const line = show(text);
      if (line === '') return;
      const start = align === 'right' ? x - measure(style)(line) : x;
      choose(style);
      // The space parts what follows for a listener, and for who copies the text.
      const place = { lineBreak: false, baseline: 'alphabetic' } as const;
      document.fillColor(style.color ?? INK).text(`${line} `, start, y, place);
    },
    line(x1, x2, y, color, weight) {
      document.moveTo(x1, y).lineTo(x2, y).lineWidth(weight).stroke(color);
    },
    box(x, y, width, height, fill, stroke) {
      document.roundedRect(x, y, width, height, 4);
      if (stroke === undefined) document.fill(fill);
      else document.lineWidth(1).fillAndStroke(fill, stroke);
    },
    watermark(text) {
      const style = { size: 150, bold: true, color: '#fbeceb' };
      const width = canvas.widthOf(text, style);
      const [x, y] = [PAGE_WIDTH / 2, PAGE_HEIGHT / 2];
      document.save().rotate(-50, { origin: [x, y] });
      canvas.write(text, x - width / 2, y + style.size / 3, style);
      document.restore();
    },
    tag(kind, draw, into = root, scope) {
      const attributes: object = scope === undefined ? {} : { scope };
      const element = document.struct(kind, attributes, draw);
      into.add(element);
      element.end();
    },
    open(kind, into = root) {
      const element = document.struct(kind);
      into.add(element);
      return element;
    },
    decorate(draw) {
      document.markContent('Artifact', { type: 'Layout' });
      draw();
      document.endMarkedContent();
    },
    breakPage() {
      document.addPage();
      pages += 1;
      canvas.y = TOP;
      canvas.decorate(() => options.onPage(canvas, pages));
    },
    has: (height) => canvas.y + height <= BOTTOM,
    finish(drawOnPage) {
      root.end();
      for (let page = 1; page <= pages; page += 1) {
        document.switchToPage(page - 1);
        canvas.decorate(() => drawOnPage(page, pages));
      }
      document.end();
      forgetGlyphs();
      return buffer(document);
    },
  };
  canvas.breakPage();
  return canvas;
}
