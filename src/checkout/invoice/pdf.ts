// Draws an invoice as a PDF that a shop can send: who asks whom for what, by when, under which reference. Facts come
// from the invoice alone, words from the labels of its language.
import type { OrderItem } from '../../domain/item.ts';
import { formatOf } from './format.ts';
import type { Format } from './format.ts';
import type { Invoice } from './invoice.ts';
import { LABELS } from './labels.ts';
import type { InvoiceLabels } from './labels.ts';
import { ALARM, BOTTOM, GREY, INK, LEFT, LINE, openCanvas, PAGE_WIDTH, RIGHT, TINT } from './pdf-canvas.ts';
import type { Canvas, Style } from './pdf-canvas.ts';
import { drawTable } from './table.ts';
import type { Column, Paragraph, Row } from './table.ts';

type Sheet = {
  readonly canvas: Canvas;
  readonly invoice: Invoice;
  readonly labels: InvoiceLabels;
  readonly format: Format;
  readonly signal?: AbortSignal | undefined;
};

const LEADING = 1.35;
const TITLE: Style = { size: 21, bold: true };
const MERCHANT: Style = { size: 13.5, bold: true };
const BODY: Style = { size: 8.6 };
const STRONG: Style = { size: 8.6, bold: true };
const LABEL: Style = { size: 7.8, color: GREY };
const SMALL: Style = { size: 7.2, color: GREY };
const TITLE_BASELINE = 89;
const FOOTER_Y = 806;
const BAND_Y = 24;

/** The text cut so that it fits on one line. */
function shorten(canvas: Canvas, text: string, style: Style, width: number): string {
  if (canvas.widthOf(text, style) <= width) return text;
  const [first = ''] = canvas.wrap(text, style, width - canvas.widthOf('…', style));
  return `${first}…`;
}

/** The style, as much smaller as the text needs to fit on one line. */
function shrink(canvas: Canvas, text: string, style: Style, width: number): Style {
  const wide = canvas.widthOf(text, style);
  return wide <= width ? style : { ...style, size: (style.size * width) / wide };
}

/** Writes lines below each other; gives the baseline of the last. */
function writeBlock(canvas: Canvas, lines: readonly string[], x: number, top: number, style: Style): number {
  let y = top;
  for (const line of lines) {
    y += style.size * LEADING;
    canvas.write(line, x, y, style);
  }
  return y;
}

function drawTestMark(canvas: Canvas, labels: InvoiceLabels): void {
  const style: Style = { size: 10, bold: true, color: ALARM };
  const [word = labels.test] = labels.test.split(' ');
  canvas.watermark(word);
  canvas.box(LEFT, BAND_Y, RIGHT - LEFT, 22, '#fdf3f2', ALARM);
  canvas.write(labels.test, (PAGE_WIDTH - canvas.widthOf(labels.test, style)) / 2, BAND_Y + 14.6, style);
}

function drawRunningHead(canvas: Canvas, { merchant, invoiceNumber }: Invoice, labels: InvoiceLabels): void {
  const right = `${labels.invoice} ${invoiceNumber}`;
  const room = RIGHT - LEFT - canvas.widthOf(right, SMALL) - 24;
  canvas.write(shorten(canvas, merchant.name, SMALL, room), LEFT, 66, SMALL);
  canvas.write(right, RIGHT, 66, SMALL, 'right');
}

function drawFooter({ canvas, invoice, labels }: Sheet, page: number, of: number): void {
  const { name, number } = invoice.merchant;
  const right = labels.page(page, of);
  const own = ` · ${labels.merchantNumber} ${number}`;
  const room = RIGHT - LEFT - canvas.widthOf(right, SMALL) - canvas.widthOf(own, SMALL) - 24;
  canvas.line(LEFT, RIGHT, FOOTER_Y - 14, LINE, 0.5);
  canvas.write(shorten(canvas, name, SMALL, room) + own, LEFT, FOOTER_Y, SMALL);
  canvas.write(right, RIGHT, FOOTER_Y, SMALL, 'right');
}

function drawMasthead({ canvas, invoice, labels }: Sheet): void {
  const { name, number } = invoice.merchant;
  const titleWidth = canvas.widthOf(labels.invoice, TITLE);
  const lines = canvas.wrap(name, MERCHANT, RIGHT - LEFT - titleWidth - 30);
  let bottom = 0;
  canvas.tag('P', () => {
    bottom = writeBlock(canvas, lines, LEFT, TITLE_BASELINE - MERCHANT.size * LEADING, MERCHANT);
    bottom = writeBlock(canvas, [`${labels.merchantNumber} ${number}`], LEFT, bottom + 2, LABEL);
  });
  canvas.tag('H1', () => canvas.write(labels.invoice, RIGHT, TITLE_BASELINE, TITLE, 'right'));
  canvas.y = bottom + 18;
  canvas.decorate(() => canvas.line(LEFT, RIGHT, canvas.y, INK, 0.8));
  canvas.y += 14;
}

// Enough for the longest line that the API takes, in letters of usual width; one of capital Ws would leave the page.
const MOST_LINES_OF_BUYER_LINE = 6;

type Fact = { readonly label: string; readonly value: string; readonly style: Style };

function factsOf({ invoice, labels, format }: Sheet): Fact[] {
  const { reference } = invoice;
  return [
    { label: labels.invoiceNumber, value: invoice.invoiceNumber, style: STRONG },
    { label: labels.paymentReference, value: invoice.ocr, style: STRONG },
    { label: labels.issuedOn, value: format.day(invoice.issuedAt), style: BODY },
    { label: labels.dueOn, value: format.day(invoice.dueAt), style: STRONG },
    ...(reference === undefined ? [] : [{ label: labels.orderReference, value: reference, style: BODY }]),
    { label: labels.paymentId, value: invoice.paymentId, style: BODY },
    { label: labels.currency, value: invoice.currency, style: BODY },
  ];
}

/** The buyer to the left, the facts of the invoice to the right. */
function drawParties(sheet: Sheet): void {
  const { canvas, invoice, labels } = sheet;
  const facts = factsOf(sheet);
  const labelWidth = Math.max(...facts.map(({ label }) => canvas.widthOf(label, LABEL))) + 14;
  // An order's reference can be of any length; the other values are as wide as they are.
  const fixed = facts.filter(({ label }) => label !== labels.orderReference);
  const valueWidth = Math.max(...fixed.map(({ value, style }) => canvas.widthOf(value, style))) + 0.1;
  const factsX = RIGHT - labelWidth - valueWidth;
  const top = canvas.y;

  let buyerBottom = top;
  if (invoice.buyer.length > 0) {
    const room = factsX - LEFT - 28;
    const [name = '', ...address] = invoice.buyer;
    const wrapped = (line: string, style: Style): string[] =>
      canvas.wrap(line, style, room).slice(0, MOST_LINES_OF_BUYER_LINE);
    canvas.tag('H2', () => {
      // On the line of the first fact.
      buyerBottom = top + STRONG.size * LEADING;
      canvas.write(labels.billTo, LEFT, buyerBottom, LABEL);
    });
    canvas.tag('P', () => {
      buyerBottom = writeBlock(canvas, wrapped(name, STRONG), LEFT, buyerBottom + 2, STRONG);
      const lines = address.flatMap((line) => wrapped(line, BODY));
      buyerBottom = writeBlock(canvas, lines, LEFT, buyerBottom, BODY);
    });
  }

  let factsBottom = top;
  for (const { label, value, style } of facts) {
    canvas.tag('P', () => {
      const lines = canvas.wrap(value, style, valueWidth);
      canvas.write(label, factsX, factsBottom + style.size * LEADING, LABEL);
      factsBottom = writeBlock(canvas, lines, factsX + labelWidth, factsBottom, style) + 2.5;
    });
  }
  canvas.y = Math.max(buyerBottom, factsBottom) + 30;
}

const cellOf = (text: string, style = BODY): Paragraph[] => [{ text, style }];

function rowOfItem(item: OrderItem, format: Format): Row {
  const { name, reference } = item;
  return {
    cells: [
      [{ text: name, style: BODY }, ...(reference === name ? [] : [{ text: reference, style: SMALL }])],
      cellOf(`${format.quantity(item.quantity)} ${item.unit}`),
      cellOf(format.figure(item.unitPrice)),
      cellOf(format.rate(item.taxRate)),
      cellOf(format.figure(item.taxAmount)),
      cellOf(format.figure(item.grossTotalAmount)),
    ],
  };
}

async function drawItems({ canvas, invoice, labels, format, signal }: Sheet): Promise<void> {
  const item: Column = { label: labels.item, align: 'left', rest: true };
  const total: Column = { label: labels.total, align: 'right' };
  if (invoice.items.length > 0) {
    const columns: Column[] = [
      item,
      { label: labels.quantity, align: 'right', most: 92 },
      { label: labels.unitPrice, align: 'right' },
      { label: labels.taxRate, align: 'right' },
      { label: labels.tax, align: 'right' },
      total,
    ];
    const rows = invoice.items.map((one) => rowOfItem(one, format));
    await drawTable(canvas, columns, rows, LEFT, signal);
  } else {
    // A charge of an amount alone says nothing of its tax, so neither does its line.
    const name = labels.partOfOrder(invoice.reference ?? invoice.paymentId);
    await drawTable(canvas, [item, total], [{ cells: [cellOf(name), cellOf(format.figure(invoice.amount))] }], LEFT);
  }
  canvas.decorate(() => canvas.line(LEFT, RIGHT, canvas.y, INK, 0.8));
}

type Sums = { net: number; tax: number; gross: number };

/** What the items come to, by their tax rate, the highest first. */
function sumsByRate(items: readonly OrderItem[]): [rate: number, sums: Sums][] {
  const byRate = new Map<number, Sums>();
  for (const item of items) {
    const sums = byRate.get(item.taxRate) ?? { net: 0, tax: 0, gross: 0 };
    sums.net += item.netTotalAmount;
    sums.tax += item.taxAmount;
    sums.gross += item.grossTotalAmount;
    byRate.set(item.taxRate, sums);
  }
  return [...byRate].toSorted(([one], [other]) => other - one);
}

const PAY_BOX_HEIGHT = 58;
const SUM_ROW_HEIGHT = 22;
// More rates than a real order has go over pages as any table does.
const MOST_ROWS_KEPT_TOGETHER = 8;

async function drawSums({ canvas, invoice, labels, format }: Sheet): Promise<void> {
  const byRate = sumsByRate(invoice.items);
  const rowOf = (name: string, { net, tax, gross }: Sums, style: Style): Row['cells'] => [
    cellOf(name, style),
    cellOf(format.money(net), style),
    cellOf(format.money(tax), style),
    cellOf(format.money(gross), style),
  ];
  const whole = { net: 0, tax: 0, gross: invoice.amount };
  for (const [, { net, tax }] of byRate) {
    whole.net += net;
    whole.tax += tax;
  }
  const rows: Row[] = byRate.map(([rate, sums]) => ({ cells: rowOf(format.rate(rate), sums, BODY) }));
  const kept = Math.min(rows.length, MOST_ROWS_KEPT_TOGETHER) + 2;
  // The sums and the box below them are read together.
  if (!canvas.has(22 + kept * SUM_ROW_HEIGHT + PAY_BOX_HEIGHT + 40)) canvas.breakPage();
  else canvas.y += 22;
  const columns: Column[] = [
    { label: labels.taxRate, align: 'left' },
    { label: labels.net, align: 'right' },
    { label: labels.tax, align: 'right' },
    { label: labels.gross, align: 'right' },
  ];
  await drawTable(canvas, columns, [...rows, { cells: rowOf(labels.total, whole, STRONG), isSum: true }], LEFT);
}

function drawPayBox({ canvas, invoice, labels, format }: Sheet): void {
  if (!canvas.has(22 + PAY_BOX_HEIGHT + 20)) canvas.breakPage();
  else canvas.y += 22;
  const top = canvas.y;
  const [inset, gap] = [16, 26];
  const value: Style = { size: 10.5, bold: true };
  const amount = format.money(invoice.amount);
  const due = format.day(invoice.dueAt);
  const widest = (label: string, text: string): number =>
    Math.max(canvas.widthOf(label, LABEL), canvas.widthOf(text, value));
  const ocrX = RIGHT - inset - widest(labels.paymentReference, invoice.ocr);
  const dueX = ocrX - gap - widest(labels.dueOn, due);
  const amountStyle = shrink(canvas, amount, { size: 17, bold: true }, dueX - gap - LEFT - inset);

  canvas.decorate(() => {
    if (invoice.isTest) canvas.box(LEFT, top, RIGHT - LEFT, PAY_BOX_HEIGHT, '#fdf3f2', ALARM);
    else canvas.box(LEFT, top, RIGHT - LEFT, PAY_BOX_HEIGHT, TINT);
  });
  const cell = (label: string, text: string, x: number, style: Style): void =>
    canvas.tag('P', () => {
      canvas.write(label, x, top + 21, LABEL);
      canvas.write(text, x, top + 41, style);
    });
  cell(labels.toPay, amount, LEFT + inset, amountStyle);
  cell(labels.dueOn, due, dueX, value);
  cell(labels.paymentReference, invoice.ocr, ocrX, value);
  canvas.y = Math.min(top + PAY_BOX_HEIGHT, BOTTOM);
  const [note, style] = invoice.isTest
    ? [`${labels.test}. ${labels.testExplained}`, { ...SMALL, color: ALARM }]
    : [labels.stateReference, SMALL];
  canvas.tag('P', () => canvas.write(note, LEFT, canvas.y + 15, style));
}

/** The PDF. Throws between two pages once the signal says that nobody wants it. */
export async function renderInvoice(invoice: Invoice, signal?: AbortSignal): Promise<Buffer> {
  const labels = LABELS[invoice.language];
  const canvas = openCanvas({
    title: `${labels.invoice} ${invoice.invoiceNumber}`,
    author: invoice.merchant.name,
    language: invoice.language,
    createdAt: invoice.issuedAt,
    onPage(sheetOfPaper, page) {
      if (invoice.isTest) drawTestMark(sheetOfPaper, labels);
      if (page > 1) drawRunningHead(sheetOfPaper, invoice, labels);
    },
  });
  const sheet: Sheet = { canvas, invoice, labels, format: formatOf(invoice.language, invoice.currency), signal };
  drawMasthead(sheet);
  drawParties(sheet);
  await drawItems(sheet);
  if (invoice.items.length > 0) await drawSums(sheet);
  drawPayBox(sheet);
  return canvas.finish((page, of) => drawFooter(sheet, page, of));
}
