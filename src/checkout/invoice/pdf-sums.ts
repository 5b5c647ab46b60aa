// The lower part of an invoice: what of it is tax, by rate, and what is to be paid, by when, where to and under which
// reference; of a credit note, what is given back.
import type { TaxLine } from '../../domain/tax-lines.ts';
import { taxLinesOfItems } from '../../domain/tax-lines.ts';
import type { Invoice } from './invoice.ts';
import { ALARM, BOTTOM, LEFT, RIGHT, TINT } from './pdf-canvas.ts';
import type { Style } from './pdf-canvas.ts';
import { BODY, cellOf, factName, LABEL, shrink, SMALL, STRONG } from './pdf-sheet.ts';
import type { Sheet } from './pdf-sheet.ts';
import { drawTable } from './table.ts';
import type { Column, Row } from './table.ts';

const PAY_BOX_HEIGHT = 58;
const ACCOUNT_ROW_HEIGHT = 30;
const SUM_ROW_HEIGHT = 22;
// More rates than a real order has go over pages as any table does.
const MOST_ROWS_KEPT_TOGETHER = 8;
const [INSET, GAP] = [16, 26];
const VALUE: Style = { size: 10.5, bold: true };

type Cell = { readonly label: string; readonly text: string; readonly x: number };

/** Where the money goes, in rows as many as it takes. */
function rowsOfAccounts({ canvas, invoice, labels }: Sheet): Cell[][] {
  const rows: Cell[][] = [];
  if (invoice.credits) return rows;
  const cells = (invoice.seller?.accounts ?? []).map((fact) => {
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

const taxesOf = ({ taxes, items }: Invoice): readonly TaxLine[] => taxes ?? taxLinesOfItems(items);

export async function drawSums(sheet: Sheet): Promise<void> {
  const { canvas, invoice, labels, format } = sheet;
  const lines = taxesOf(invoice);
  if (lines.length === 0) return;
  const rowOf = (name: string, { net, tax, gross }: Omit<TaxLine, 'rate'>, style: Style): Row['cells'] => [
    cellOf(name, style),
    cellOf(format.money(net), style),
    cellOf(format.money(tax), style),
    cellOf(format.money(gross), style),
  ];
  const whole = { net: 0, tax: 0, gross: invoice.amount };
  for (const { net, tax } of lines) {
    whole.net += net;
    whole.tax += tax;
  }
  const rows: Row[] = lines.map((line) => ({ cells: rowOf(format.rate(line.rate), line, BODY) }));
  const kept = Math.min(rows.length, MOST_ROWS_KEPT_TOGETHER) + 2;
  // The sums and the box below them are read together.
  if (!canvas.has(22 + kept * SUM_ROW_HEIGHT + heightOfBox(sheet) + 40)) canvas.breakPage();
  else canvas.y += 22;
  const columns: Column[] = [
    { label: labels.taxRate, align: 'left' },
    { label: labels.net, align: 'right' },
    { label: labels.tax, align: 'right' },
    { label: labels.gross, align: 'right' },
  ];
  await drawTable(canvas, columns, [...rows, { cells: rowOf(labels.total, whole, STRONG), isSum: true }], LEFT);
}

/** What stands below the box: that it is a test, or what to do. */
function noteOf({ invoice, labels }: Sheet): readonly [string, Style] {
  if (invoice.isTest) return [`${labels.test}. ${labels.testExplained}`, { ...SMALL, color: ALARM }];
  return [invoice.credits ? labels.creditExplained : labels.stateReference, SMALL];
}

export function drawPayBox(sheet: Sheet): void {
  const { canvas, invoice, labels, format } = sheet;
  const height = heightOfBox(sheet);
  if (!canvas.has(22 + height + 20)) canvas.breakPage();
  else canvas.y += 22;
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
  cell(invoice.credits ? labels.creditedAmount : labels.toPay, amount, LEFT + INSET, top + 21, amountStyle);
  if (!invoice.credits) {
    cell(labels.dueOn, due, dueX, top + 21, VALUE);
    cell(labels.paymentReference, invoice.ocr, ocrX, top + 21, VALUE);
  }
  for (const [index, row] of rowsOfAccounts(sheet).entries())
    for (const { label, text, x } of row)
      cell(label, text, x, top + PAY_BOX_HEIGHT + 8 + index * ACCOUNT_ROW_HEIGHT, STRONG);
  canvas.y = Math.min(top + height, BOTTOM);
  const [note, style] = noteOf(sheet);
  canvas.tag('P', () => canvas.write(note, LEFT, canvas.y + 15, style));
}
