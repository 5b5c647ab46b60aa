// The upper part of an invoice: who sells, who buys, and the facts by which it is booked and paid.
import { ALARM, INK, LEFT, RIGHT } from './pdf-canvas.ts';
import type { Style } from './pdf-canvas.ts';
import { BODY, factName, LABEL, lineHeightOf, numberOf, STRONG, titleOf, writeBlock } from './pdf-sheet.ts';
import type { Sheet } from './pdf-sheet.ts';

const TITLE: Style = { size: 21, bold: true };
const MERCHANT: Style = { size: 13.5, bold: true };
const TITLE_BASELINE = 89;
// An address of usual length takes one; the rest of a page must be left for whom it is to.
const MOST_LINES_OF_SELLER_LINE = 3;

/** Below the name of the seller: where it is, its numbers, and that it is nobody. */
function linesOfSeller({ invoice: { merchant, seller }, labels }: Sheet): string[] {
  const numbers = seller?.numbers.map((fact) => `${factName(fact, labels)} ${fact.text}`) ?? [];
  const own = `${labels.merchantNumber} ${merchant.number}`;
  return [seller?.address.join(', ') ?? '', numbers.join(' · '), own].filter((line) => line !== '');
}

export function drawMasthead(sheet: Sheet): void {
  const { canvas, invoice, labels } = sheet;
  const { name } = invoice.merchant;
  const title = titleOf(invoice, labels);
  const room = RIGHT - LEFT - canvas.widthOf(title, TITLE) - 30;
  let bottom = 0;
  canvas.tag('P', () => {
    const wrapped = canvas.wrap(name, MERCHANT, room);
    bottom = writeBlock(canvas, wrapped, LEFT, TITLE_BASELINE - lineHeightOf(MERCHANT), MERCHANT) + 2;
    for (const line of linesOfSeller(sheet))
      bottom = writeBlock(
        canvas,
        canvas.wrap(line, LABEL, room).slice(0, MOST_LINES_OF_SELLER_LINE),
        LEFT,
        bottom,
        LABEL,
      );
    if (invoice.seller?.isExample)
      bottom = writeBlock(canvas, canvas.wrap(labels.testSeller, LABEL, room), LEFT, bottom, {
        ...LABEL,
        color: ALARM,
      });
  });
  canvas.tag('H1', () => canvas.write(title, RIGHT, TITLE_BASELINE, TITLE, 'right'));
  canvas.y = bottom + 18;
  canvas.decorate(() => canvas.line(LEFT, RIGHT, canvas.y, INK, 0.8));
  canvas.y += 14;
}

// Enough for the longest line that the API takes, in letters of usual width; one of capital Ws would leave the page.
const MOST_LINES_OF_BUYER_LINE = 6;

type Fact = { readonly label: string; readonly value: string; readonly style: Style };

/** The numbers of an invoice and when it is due; of a credit note, which invoice it is of. */
function numbersOf({ invoice, labels, format }: Sheet): Fact[] {
  const { credits, number } = invoice;
  const own: Fact = {
    label: credits ? labels.creditNumber : labels.invoiceNumber,
    value: numberOf(invoice),
    style: STRONG,
  };
  const long: Fact = { label: labels.invoiceId, value: invoice.invoiceNumber, style: BODY };
  if (credits)
    return [
      ...(number === undefined ? [] : [own]),
      { label: labels.creditedOn, value: format.day(invoice.issuedAt), style: BODY },
      { label: labels.creditOf, value: numberOf(credits), style: STRONG },
      ...(credits.number === undefined ? [] : [long]),
      { label: labels.issuedOn, value: format.day(credits.issuedAt), style: BODY },
    ];
  return [
    own,
    ...(number === undefined ? [] : [long]),
    { label: labels.paymentReference, value: invoice.ocr, style: STRONG },
    { label: labels.issuedOn, value: format.day(invoice.issuedAt), style: BODY },
    { label: labels.dueOn, value: format.day(invoice.dueAt), style: STRONG },
  ];
}

function factsOf(sheet: Sheet): Fact[] {
  const { invoice, labels } = sheet;
  const { reference } = invoice;
  return [
    ...numbersOf(sheet),
    ...(reference === undefined ? [] : [{ label: labels.orderReference, value: reference, style: BODY }]),
    { label: labels.paymentId, value: invoice.paymentId, style: BODY },
    { label: labels.currency, value: invoice.currency, style: BODY },
  ];
}

/** The buyer to the left, the facts of the invoice to the right. */
export function drawParties(sheet: Sheet): void {
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
      buyerBottom = top + lineHeightOf(STRONG);
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
      canvas.write(label, factsX, factsBottom + lineHeightOf(style), LABEL);
      factsBottom = writeBlock(canvas, lines, factsX + labelWidth, factsBottom, style) + 2.5;
    });
  }
  canvas.y = Math.max(buyerBottom, factsBottom) + 30;
}
