// Renders an invoice or a credit note as a PDF. Data comes only from the invoice, words from the labels of its language.
import { fillIn } from '../../../web/shared/fill-in.ts';
import type { CheckoutTexts } from '../texts.ts';
import { checkoutTexts } from '../texts.ts';
import { formatOf } from './format.ts';
import type { Invoice } from './invoice.ts';
import { ALARM, LEFT, LINE, openCanvas, PAGE_WIDTH, RIGHT } from './pdf-canvas.ts';
import type { Canvas, Style } from './pdf-canvas.ts';
import { drawHead } from './pdf-head.ts';
import { drawItems } from './pdf-items.ts';
import { shorten, shrink, SMALL, TINY, titleOf } from './pdf-sheet.ts';
import type { Sheet } from './pdf-sheet.ts';
import { drawPayPart, drawSums, heightOfSums, planSums } from './pdf-sums.ts';

const BAND_Y = 24;
const RUNNING_HEAD_Y = 62;
const FOOTER_Y = 795;
const IDS_Y = 806;

function drawTestMark(canvas: Canvas, labels: CheckoutTexts['invoice']): void {
  const style: Style = { size: 10, bold: true, color: ALARM };
  const [word = labels.test] = labels.test.split(' ');
  canvas.watermark(word);
  canvas.box(LEFT, BAND_Y, RIGHT - LEFT, 22, '#fdf3f2', ALARM);
  canvas.write(labels.test, (PAGE_WIDTH - canvas.widthOf(labels.test, style)) / 2, BAND_Y + 14.6, style);
}

function drawRunningHead(canvas: Canvas, invoice: Invoice, labels: CheckoutTexts['invoice']): void {
  const right = `${titleOf(invoice, labels)} ${invoice.number}`;
  const room = RIGHT - LEFT - canvas.widthOf(right, SMALL) - 24;
  canvas.write(shorten(canvas, invoice.merchant.name, SMALL, room), LEFT, RUNNING_HEAD_Y, SMALL);
  canvas.write(right, RIGHT, RUNNING_HEAD_Y, SMALL, 'right');
}

function drawFooter({ canvas, invoice, labels }: Sheet, page: number, of: number): void {
  const right = fillIn(labels.page, { page, of });
  const room = RIGHT - LEFT - canvas.widthOf(right, SMALL) - 24;
  canvas.line(LEFT, RIGHT, FOOTER_Y - 12, LINE, 0.5);
  canvas.write(shorten(canvas, invoice.merchant.name, SMALL, room), LEFT, FOOTER_Y, SMALL);
  canvas.write(right, RIGHT, FOOTER_Y, SMALL, 'right');
}

/** Its ids, for look-ups, at the bottom of the last page. */
function drawIds({ canvas, invoice, labels }: Sheet): void {
  const { invoiceNumber, paymentId, merchant } = invoice;
  const ids = [
    `${labels.invoiceId} ${invoiceNumber}`,
    `${labels.paymentId} ${paymentId}`,
    `${labels.merchantNumber} ${merchant.number}`,
  ].join(' · ');
  canvas.tag('P', () => canvas.write(ids, LEFT, IDS_Y, shrink(canvas, ids, TINY, RIGHT - LEFT)));
}

/** The PDF. Throws between two pages if the signal aborts. */
export async function renderInvoice(invoice: Invoice, signal?: AbortSignal): Promise<Buffer> {
  const labels = checkoutTexts(invoice.language).invoice;
  const canvas = openCanvas({
    title: `${titleOf(invoice, labels)} ${invoice.number}`,
    author: invoice.merchant.name,
    language: invoice.language,
    createdAt: invoice.issuedAt,
    onPage(sheetOfPaper, page) {
      if (invoice.isTest) drawTestMark(sheetOfPaper, labels);
      if (page > 1) drawRunningHead(sheetOfPaper, invoice, labels);
    },
  });
  const sheet: Sheet = { canvas, invoice, labels, format: formatOf(invoice.language, invoice.currency), signal };
  drawHead(sheet);
  const sums = planSums(sheet);
  await drawItems(sheet, heightOfSums(sheet, sums));
  if (sums) await drawSums(sheet, sums);
  drawPayPart(sheet);
  drawIds(sheet);
  return canvas.finish((page, of) => drawFooter(sheet, page, of));
}
