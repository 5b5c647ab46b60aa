// Draws an invoice as a PDF that a shop can send: who asks whom for what, by when, under which reference. Facts come
// from the invoice alone, words from the labels of its language.
import type { OrderItem } from '../../domain/item.ts';
import { formatOf } from './format.ts';
import type { Format } from './format.ts';
import type { Invoice } from './invoice.ts';
import { LABELS } from './labels.ts';
import type { InvoiceLabels } from './labels.ts';
import { ALARM, BOTTOM, GREY, INK, LEFT, LINE, openPaper, PAGE_WIDTH, RIGHT, TINT } from './paper.ts';
import type { Paper, Style } from './paper.ts';
import { drawTable } from './table.ts';
import type { Column, Paragraph, Row } from './table.ts';

type Sheet = {
  readonly paper: Paper;
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
function shorten(paper: Paper, text: string, style: Style, width: number): string {
  if (paper.widthOf(text, style) <= width) return text;
  const [first = ''] = paper.wrap(text, style, width - paper.widthOf('…', style));
  return `${first}…`;
}

/** The style, as much smaller as the text needs to fit on one line. */
function shrink(paper: Paper, text: string, style: Style, width: number): Style {
  const wide = paper.widthOf(text, style);
  return wide <= width ? style : { ...style, size: (style.size * width) / wide };
}

/** Writes lines below each other; gives the baseline of the last. */
function writeBlock(paper: Paper, lines: readonly string[], x: number, top: number, style: Style): number {
  let y = top;
  for (const line of lines) {
    y += style.size * LEADING;
    paper.write(line, x, y, style);
  }
  return y;
}

function drawTestMark(paper: Paper, labels: InvoiceLabels): void {
  const style: Style = { size: 10, bold: true, color: ALARM };
  const [word = labels.test] = labels.test.split(' ');
  paper.watermark(word);
  paper.box(LEFT, BAND_Y, RIGHT - LEFT, 22, '#fdf3f2', ALARM);
  paper.write(labels.test, (PAGE_WIDTH - paper.widthOf(labels.test, style)) / 2, BAND_Y + 14.6, style);
}

function drawRunningHead(paper: Paper, { merchant, invoiceNumber }: Invoice, labels: InvoiceLabels): void {
  const right = `${labels.invoice} ${invoiceNumber}`;
  const room = RIGHT - LEFT - paper.widthOf(right, SMALL) - 24;
  paper.write(shorten(paper, merchant.name, SMALL, room), LEFT, 66, SMALL);
  paper.write(right, RIGHT, 66, SMALL, 'right');
}

function drawFooter({ paper, invoice, labels }: Sheet, page: number, of: number): void {
  const { name, number } = invoice.merchant;
  const right = labels.page(page, of);
  const own = ` · ${labels.merchantNumber} ${number}`;
  const room = RIGHT - LEFT - paper.widthOf(right, SMALL) - paper.widthOf(own, SMALL) - 24;
  paper.line(LEFT, RIGHT, FOOTER_Y - 14, LINE, 0.5);
  paper.write(shorten(paper, name, SMALL, room) + own, LEFT, FOOTER_Y, SMALL);
  paper.write(right, RIGHT, FOOTER_Y, SMALL, 'right');
}

function drawMasthead({ paper, invoice, labels }: Sheet): void {
  const { name, number } = invoice.merchant;
  const titleWidth = paper.widthOf(labels.invoice, TITLE);
  const lines = paper.wrap(name, MERCHANT, RIGHT - LEFT - titleWidth - 30);
  let bottom = 0;
  paper.tag('P', () => {
    bottom = writeBlock(paper, lines, LEFT, TITLE_BASELINE - MERCHANT.size * LEADING, MERCHANT);
    bottom = writeBlock(paper, [`${labels.merchantNumber} ${number}`], LEFT, bottom + 2, LABEL);
  });
  paper.tag('H1', () => paper.write(labels.invoice, RIGHT, TITLE_BASELINE, TITLE, 'right'));
  paper.y = bottom + 18;
  paper.decorate(() => paper.line(LEFT, RIGHT, paper.y, INK, 0.8));
  paper.y += 14;
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
  const { paper, invoice, labels } = sheet;
  const facts = factsOf(sheet);
  const labelWidth = Math.max(...facts.map(({ label }) => paper.widthOf(label, LABEL))) + 14;
  // An order's reference can be of any length; the other values are as wide as they are.
  const fixed = facts.filter(({ label }) => label !== labels.orderReference);
  const valueWidth = Math.max(...fixed.map(({ value, style }) => paper.widthOf(value, style))) + 0.1;
  const factsX = RIGHT - labelWidth - valueWidth;
  const top = paper.y;

  let buyerBottom = top;
  if (invoice.buyer.length > 0) {
    const room = factsX - LEFT - 28;
    const [name = '', ...address] = invoice.buyer;
    const wrapped = (line: string, style: Style): string[] =>
      paper.wrap(line, style, room).slice(0, MOST_LINES_OF_BUYER_LINE);
    paper.tag('H2', () => {
      // On the line of the first fact.
      buyerBottom = top + STRONG.size * LEADING;
      paper.write(labels.billTo, LEFT, buyerBottom, LABEL);
    });
    paper.tag('P', () => {
      buyerBottom = writeBlock(paper, wrapped(name, STRONG), LEFT, buyerBottom + 2, STRONG);
      const lines = address.flatMap((line) => wrapped(line, BODY));
      buyerBottom = writeBlock(paper, lines, LEFT, buyerBottom, BODY);
    });
  }

  let factsBottom = top;
  for (const { label, value, style } of facts) {
    paper.tag('P', () => {
      const lines = paper.wrap(value, style, valueWidth);
      paper.write(label, factsX, factsBottom + style.size * LEADING, LABEL);
      factsBottom = writeBlock(paper, lines, factsX + labelWidth, factsBottom, style) + 2.5;
    });
  }
  paper.y = Math.max(buyerBottom, factsBottom) + 30;
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

async function drawItems({ paper, invoice, labels, format, signal }: Sheet): Promise<void> {
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
    await drawTable(paper, columns, rows, LEFT, signal);
  } else {
    // A charge of an amount alone says nothing of its tax, so neither does its line.
    const name = labels.partOfOrder(invoice.reference ?? invoice.paymentId);
    await drawTable(paper, [item, total], [{ cells: [cellOf(name), cellOf(format.figure(invoice.amount))] }], LEFT);
  }
  paper.decorate(() => paper.line(LEFT, RIGHT, paper.y, INK, 0.8));
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

async function drawSums({ paper, invoice, labels, format }: Sheet): Promise<void> {
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
  if (!paper.has(22 + kept * SUM_ROW_HEIGHT + PAY_BOX_HEIGHT + 40)) paper.breakPage();
  else paper.y += 22;
  const columns: Column[] = [
    { label: labels.taxRate, align: 'left' },
    { label: labels.net, align: 'right' },
    { label: labels.tax, align: 'right' },
    { label: labels.gross, align: 'right' },
  ];
  await drawTable(paper, columns, [...rows, { cells: rowOf(labels.total, whole, STRONG), isSum: true }], LEFT);
}

function drawPayBox({ paper, invoice, labels, format }: Sheet): void {
  if (!paper.has(22 + PAY_BOX_HEIGHT + 20)) paper.breakPage();
  else paper.y += 22;
  const top = paper.y;
  const [inset, gap] = [16, 26];
  const value: Style = { size: 10.5, bold: true };
  const amount = format.money(invoice.amount);
  const due = format.day(invoice.dueAt);
  const widest = (label: string, text: string): number =>
    Math.max(paper.widthOf(label, LABEL), paper.widthOf(text, value));
  const ocrX = RIGHT - inset - widest(labels.paymentReference, invoice.ocr);
  const dueX = ocrX - gap - widest(labels.dueOn, due);
  const amountStyle = shrink(paper, amount, { size: 17, bold: true }, dueX - gap - LEFT - inset);

  paper.decorate(() => {
    if (invoice.isTest) paper.box(LEFT, top, RIGHT - LEFT, PAY_BOX_HEIGHT, '#fdf3f2', ALARM);
    else paper.box(LEFT, top, RIGHT - LEFT, PAY_BOX_HEIGHT, TINT);
  });
  const cell = (label: string, text: string, x: number, style: Style): void =>
    paper.tag('P', () => {
      paper.write(label, x, top + 21, LABEL);
      paper.write(text, x, top + 41, style);
    });
  cell(labels.toPay, amount, LEFT + inset, amountStyle);
  cell(labels.dueOn, due, dueX, value);
  cell(labels.paymentReference, invoice.ocr, ocrX, value);
  paper.y = Math.min(top + PAY_BOX_HEIGHT, BOTTOM);
  const [note, style] = invoice.isTest
    ? [`${labels.test}. ${labels.testExplained}`, { ...SMALL, color: ALARM }]
    : [labels.stateReference, SMALL];
  paper.tag('P', () => paper.write(note, LEFT, paper.y + 15, style));
}

/** The PDF. Throws between two pages once the signal says that nobody wants it. */
export async function renderInvoice(invoice: Invoice, signal?: AbortSignal): Promise<Buffer> {
  const labels = LABELS[invoice.language];
  const paper = openPaper({
    title: `${labels.invoice} ${invoice.invoiceNumber}`,
    author: invoice.merchant.name,
    language: invoice.language,
    createdAt: invoice.issuedAt,
    onPage(sheetOfPaper, page) {
      if (invoice.isTest) drawTestMark(sheetOfPaper, labels);
      if (page > 1) drawRunningHead(sheetOfPaper, invoice, labels);
    },
  });
  const sheet: Sheet = { paper, invoice, labels, format: formatOf(invoice.language, invoice.currency), signal };
  drawMasthead(sheet);
  drawParties(sheet);
  await drawItems(sheet);
  if (invoice.items.length > 0) await drawSums(sheet);
  drawPayBox(sheet);
  return paper.finish((page, of) => drawFooter(sheet, page, of));
}
