// Draws an invoice or a credit note as a PDF that a shop can send: who asks whom for what, by when, under which reference.
// Facts come from the invoice alone, words from the labels of its language.
import type { OrderItem } from '../../domain/item.ts';
import { formatOf } from './format.ts';
import type { Format } from './format.ts';
import type { Invoice } from './invoice.ts';
import { LABELS } from './labels.ts';
import type { InvoiceLabels } from './labels.ts';
import { ALARM, INK, LEFT, LINE, openCanvas, PAGE_WIDTH, RIGHT } from './pdf-canvas.ts';
import type { Canvas, Style } from './pdf-canvas.ts';
import { drawMasthead, drawParties } from './pdf-head.ts';
import { BODY, cellOf, numberOf, shorten, SMALL, titleOf } from './pdf-sheet.ts';
import type { Sheet } from './pdf-sheet.ts';
import { drawPayBox, drawSums } from './pdf-sums.ts';
import { drawTable } from './table.ts';
import type { Column, Row } from './table.ts';

const FOOTER_Y = 806;
const BAND_Y = 24;

function drawTestMark(canvas: Canvas, labels: InvoiceLabels): void {
  const style: Style = { size: 10, bold: true, color: ALARM };
  const [word = labels.test] = labels.test.split(' ');
  canvas.watermark(word);
  canvas.box(LEFT, BAND_Y, RIGHT - LEFT, 22, '#fdf3f2', ALARM);
  canvas.write(labels.test, (PAGE_WIDTH - canvas.widthOf(labels.test, style)) / 2, BAND_Y + 14.6, style);
}

function drawRunningHead(canvas: Canvas, invoice: Invoice, labels: InvoiceLabels): void {
  const right = `${titleOf(invoice, labels)} ${numberOf(invoice)}`;
  const room = RIGHT - LEFT - canvas.widthOf(right, SMALL) - 24;
  canvas.write(shorten(canvas, invoice.merchant.name, SMALL, room), LEFT, 66, SMALL);
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
    const order = labels.partOfOrder(invoice.reference ?? invoice.paymentId);
    const name = invoice.credits ? labels.creditPart(numberOf(invoice.credits)) : order;
    await drawTable(canvas, [item, total], [{ cells: [cellOf(name), cellOf(format.figure(invoice.amount))] }], LEFT);
  }
  canvas.decorate(() => canvas.line(LEFT, RIGHT, canvas.y, INK, 0.8));
}

/** The PDF. Throws between two pages once the signal says that nobody wants it. */
export async function renderInvoice(invoice: Invoice, signal?: AbortSignal): Promise<Buffer> {
  const labels = LABELS[invoice.language];
  const canvas = openCanvas({
    title: `${titleOf(invoice, labels)} ${numberOf(invoice)}`,
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
  await drawSums(sheet);
  drawPayBox(sheet);
  return canvas.finish((page, of) => drawFooter(sheet, page, of));
}
