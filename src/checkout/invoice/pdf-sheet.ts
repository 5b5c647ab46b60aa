// Shared by the parts of a printed invoice: the sheet, its styles, and blocks of text.
import type { CheckoutTexts } from '../texts.ts';
import type { Format } from './format.ts';
import type { Invoice } from './invoice.ts';
import { GREY } from './pdf-canvas.ts';
import type { Canvas, Style } from './pdf-canvas.ts';
import type { SellerFact } from './printed-seller.ts';
import type { Paragraph } from './table.ts';

export type Sheet = {
  readonly canvas: Canvas;
  readonly invoice: Invoice;
  readonly labels: CheckoutTexts['invoice'];
  readonly format: Format;
  readonly signal?: AbortSignal | undefined;
};

const LEADING = 1.35;
export const BODY: Style = { size: 8.6 };
export const STRONG: Style = { size: 8.6, bold: true };
export const LABEL: Style = { size: 7.8, color: GREY };
/** As large as the text beside it, and lighter. */
export const MUTED: Style = { size: 8.6, color: GREY };
export const NOTE: Style = { size: 7.8 };
export const SMALL: Style = { size: 7.2, color: GREY };
export const TINY: Style = { size: 6.2, color: GREY };

export const lineHeightOf = ({ size }: Style): number => size * LEADING;

/** The text cut so that it fits on one line. */
export function shorten(canvas: Canvas, text: string, style: Style, width: number): string {
  if (canvas.widthOf(text, style) <= width) return text;
  const [first = ''] = canvas.wrap(text, style, width - canvas.widthOf('…', style));
  return `${first}…`;
}

/** The style, as much smaller as the text needs to fit on one line. */
export function shrink(canvas: Canvas, text: string, style: Style, width: number): Style {
  const wide = canvas.widthOf(text, style);
  return wide <= width ? style : { ...style, size: (style.size * width) / wide };
}

/** Writes lines below each other; gives the baseline of the last. */
export function writeBlock(canvas: Canvas, lines: readonly string[], x: number, top: number, style: Style): number {
  let y = top;
  for (const line of lines) {
    y += lineHeightOf(style);
    canvas.write(line, x, y, style);
  }
  return y;
}

/** A label that stays on one line where there is room for it. */
export const unbroken = (label: string): string => label.replaceAll(' ', '\u00A0');

export const cellOf = (text: string, style = BODY): Paragraph[] => [{ text, style }];

/** What it is called: an invoice, or a credit note. */
export const titleOf = ({ credits }: Invoice, labels: CheckoutTexts['invoice']): string =>
  credits ? labels.creditNote : labels.invoice;

export function factName({ name }: SellerFact, labels: CheckoutTexts['invoice']): string {
  switch (name) {
    case 'vatNumber':
    case 'companyNumber':
    case 'account':
      return labels[name];
    default:
      return name;
  }
}
