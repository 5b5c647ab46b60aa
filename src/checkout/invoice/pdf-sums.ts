// The lower part of an invoice: tax by rate, and the amount, due date, account and reference; for a credit note, the
// refunded amount and its invoice.
import { fillIn } from '../../../web/shared/fill-in.ts';
import { exponentOf } from '../../domain/currency.ts';
import type { TaxLine } from '../../domain/tax-lines.ts';
import { taxLinesOfItems } from '../../domain/tax-lines.ts';
import type { Invoice } from './invoice.ts';
import { ALARM, BOTTOM, LEFT, RIGHT, TINT } from './pdf-canvas.ts';
import type { Style } from './pdf-canvas.ts';
import {
  BODY,
  cellOf,
  factName,
  LABEL,
  lineHeightOf,
  NOTE,
  shrink,
  STRONG,
  unbroken,
  writeBlock,
} from './pdf-sheet.ts';
import type { Sheet } from './pdf-sheet.ts';
import { drawTable, heightOfTable, planTable } from './table.ts';
import type { Column, Row, Table } from './table.ts';

const GAP_ABOVE = 18;
const PAY_BOX_HEIGHT = 56;
const ACCOUNT_ROW_HEIGHT = 29;
const NOTE_GAP = 5;
// More rates than a real order has go over pages as any table does, after a few that stand with the items.
const MOST_RATES_KEPT_TOGETHER = 16;
const [FEW_RATES, INSET, GAP] = [3, 16, 26];
const VALUE: Style = { size: 10.5, bold: true };

type Cell = { readonly label: string; readonly text: string; readonly x: number };

/** The payment details, in rows. */
function rowsOfAccounts({ canvas, invoice, labels }: Sheet): Cell[][] {
  const rows: Cell[][] = [];
  if (invoice.credits) return rows;
  const cells = invoice.seller.accounts.map((fact) => {
    const label = factName(fact, labels);
    const width = Math.max(canvas.widthOf(label, LABEL), canvas.widthOf(fact.text, STRONG));
    return { name: fact.name, label, text: fact.text, width };
  });
  let x = RIGHT;
  for (const [index, { name, label, text, width }] of cells.entries()) {
    // An account and its bank are read together.
    const bank = name === 'IBAN' ? cells[index + 1] : undefined;
    if (x + width + (bank ? GAP + bank.width : 0) > RIGHT - INSET) {
      x = LEFT + INSET;
      rows.push([]);
    }
    rows.at(-1)?.push({ label, text, x });
    x += width + GAP;
  }
  return rows;
}

const heightOfBox = (sheet: Sheet): number => {
  const rows = rowsOfAccounts(sheet).length;
  return PAY_BOX_HEIGHT + rows * ACCOUNT_ROW_HEIGHT + (rows > 0 ? 4 : 0);
};

type Note = { readonly lines: readonly string[]; readonly style: Style };

/** What stands below the box: what to do with it, and that it is a test. */
function notesOf({ canvas, invoice, labels, format }: Sheet): Note[] {
  const { credits, isTest } = invoice;
  const noteOf = (text: string, style: Style): Note => ({ lines: canvas.wrap(text, style, RIGHT - LEFT), style });
  return [
    ...(credits
      ? [
          noteOf(
            fillIn(labels.creditsInvoice, { invoice: String(credits.number), day: format.day(credits.issuedAt) }),
            NOTE,
          ),
          noteOf(labels.creditExplained, NOTE),
        ]
      : []),
    ...(isTest ? [noteOf(`${labels.test}. ${labels.testExplained}`, { ...NOTE, color: ALARM })] : []),
    ...(credits || isTest ? [] : [noteOf(labels.stateReference, NOTE)]),
  ];
}

const heightOfPayPart = (sheet: Sheet): number =>
  notesOf(sheet).reduce(
    (height, { lines, style }) => height + lines.length * lineHeightOf(style),
    GAP_ABOVE + heightOfBox(sheet) + NOTE_GAP,
  );

/**
 * What net and tax lack of the amount, where a shop has rounded its items in another way. More than a minor unit for
 * each item, or a whole crown, is no rounding: then the shop has left out the tax, and its own sums stand as they are.
 */
function roundingOf({ amount, items, currency }: Invoice, lines: readonly TaxLine[]): number {
  const rest = lines.reduce((left, { net, tax }) => left - net - tax, amount);
  return Math.abs(rest) <= Math.max(items.length, 10 ** exponentOf(currency)) ? rest : 0;
}

/** The table of taxes, whose figures add up in both directions; none where nothing is known of them. */
export function planSums({ canvas, invoice, labels, format }: Sheet): Table | undefined {
  const lines = invoice.taxes ?? taxLinesOfItems(invoice.items);
  if (lines.length === 0) return undefined;
  const rounding = roundingOf(invoice, lines);
  const figures = ({ net, tax, gross }: Omit<TaxLine, 'rate'>, style: Style): Row['cells'] =>
    [net, tax, gross].map((figure) => cellOf(format.figure(figure), style));
  const whole = { net: 0, tax: 0, gross: invoice.amount };
  for (const { net, tax } of lines) {
    whole.net += net;
    whole.tax += tax;
  }
  const rows: Row[] = lines.map((line) => {
    const gross = rounding === 0 ? line.gross : line.net + line.tax;
    return { cells: [cellOf(format.rate(line.rate)), ...figures({ ...line, gross }, BODY)] };
  });
  if (rounding !== 0) rows.push({ cells: [cellOf(labels.rounding), [], [], cellOf(format.figure(rounding))] });
  rows.push({ cells: [cellOf(labels.total, STRONG), ...figures(whole, STRONG)], isSum: true });
  const names = [labels.taxRate, labels.net, labels.tax, labels.gross].map(unbroken);
  const columns = names.map((label, index): Column => ({ label, align: index === 0 ? 'left' : 'right' }));
  return planTable(canvas, columns, rows, LEFT);
}

/** Of what stands on the page of the last items. */
export function heightOfSums(sheet: Sheet, sums: Table | undefined): number {
  if (sums === undefined) return heightOfPayPart(sheet);
  if (sums.rows.length > MOST_RATES_KEPT_TOGETHER + 2) return GAP_ABOVE + heightOfTable(sheet.canvas, sums, FEW_RATES);
  return GAP_ABOVE + heightOfTable(sheet.canvas, sums) + heightOfPayPart(sheet);
}

export async function drawSums(sheet: Sheet, sums: Table): Promise<void> {
  const { canvas, signal } = sheet;
  if (canvas.has(heightOfSums(sheet, sums))) canvas.y += GAP_ABOVE;
  else canvas.breakPage();
  await drawTable(canvas, sums, { below: heightOfPayPart(sheet), signal });
}

export function drawPayPart(sheet: Sheet): void {
  const { canvas, invoice, labels, format } = sheet;
  const height = heightOfBox(sheet);
  if (canvas.has(heightOfPayPart(sheet))) canvas.y += GAP_ABOVE;
  else canvas.breakPage();
  const top = canvas.y;
  const amount = format.money(invoice.amount);
  const due = format.day(invoice.dueAt);
  const widest = (label: string, text: string): number =>
    Math.max(canvas.widthOf(label, LABEL), canvas.widthOf(text, VALUE));
  const ocrX = RIGHT - INSET - widest(labels.paymentReference, invoice.ocr);
  const dueX = ocrX - GAP - widest(labels.dueOn, due);
  const amountEnd = invoice.credits ? RIGHT - INSET : dueX - GAP;
  const amountStyle = shrink(canvas, amount, { size: 17, bold: true }, amountEnd - LEFT - INSET);

  canvas.decorate(() => {
    if (invoice.isTest) canvas.box(LEFT, top, RIGHT - LEFT, height, '#fdf3f2', ALARM);
    else canvas.box(LEFT, top, RIGHT - LEFT, height, TINT);
  });
  const cell = (label: string, text: string, x: number, y: number, style: Style): void =>
    canvas.tag('P', () => {
      canvas.write(label, x, y, LABEL);
      canvas.write(text, x, y + (style === STRONG ? 13 : 20), style);
    });
  cell(invoice.credits ? labels.creditedAmount : labels.toPay, amount, LEFT + INSET, top + 20, amountStyle);
  if (!invoice.credits) {
    cell(labels.dueOn, due, dueX, top + 20, VALUE);
    cell(labels.paymentReference, invoice.ocr, ocrX, top + 20, VALUE);
  }
  for (const [index, row] of rowsOfAccounts(sheet).entries())
    for (const { label, text, x } of row)
      cell(label, text, x, top + PAY_BOX_HEIGHT + 7 + index * ACCOUNT_ROW_HEIGHT, STRONG);
  canvas.y = Math.min(top + height, BOTTOM) + NOTE_GAP;
  for (const { lines, style } of notesOf(sheet))
    canvas.tag('P', () => {
      canvas.y = writeBlock(canvas, lines, LEFT, canvas.y, style);
    });
}
