// The upper part of an invoice, in two columns: seller and buyer on the left; the title and key facts on the right. Ids
// are in small print at the bottom.
import { ALARM, INK, LEFT, RIGHT } from './pdf-canvas.ts';
import type { Style } from './pdf-canvas.ts';
import { BODY, factName, LABEL, lineHeightOf, shrink, STRONG, titleOf, writeBlock } from './pdf-sheet.ts';
import type { Sheet } from './pdf-sheet.ts';

const TITLE: Style = { size: 21, bold: true };
const SELLER: Style = { size: 13.5, bold: true };
const FIRST_BASELINE = 76;
// The right column starts here, or further to the left where its facts are wider.
const FACTS_START = 330;
const COLUMN_GAP = 26;
const LABEL_GAP = 14;
// An address of usual length takes one; the rest of a page must be left for whom it is to.
const MOST_LINES_OF_SELLER_LINE = 3;
// Enough for the longest line that the API takes, in letters of usual width; one of capital Ws would leave the page.
const MOST_LINES_OF_BUYER_LINE = 5;

type Fact = { readonly label: string; readonly value: string; readonly style: Style };

/** The number of an invoice, its date, and when it is due; of a credit note, which invoice it is of. */
function factsOf({ invoice, labels, format }: Sheet): Fact[] {
  const { credits, number, reference } = invoice;
  const order: Fact[] =
    reference === undefined ? [] : [{ label: labels.orderReference, value: reference, style: BODY }];
  const own = String(number);
  const day = format.day(invoice.issuedAt);
  if (credits)
    return [
      { label: labels.creditNumber, value: own, style: STRONG },
      { label: labels.creditedOn, value: day, style: BODY },
      { label: labels.creditOf, value: String(credits.number), style: STRONG },
      { label: labels.issuedOn, value: format.day(credits.issuedAt), style: BODY },
      ...order,
    ];
  return [
    { label: labels.invoiceNumber, value: own, style: STRONG },
    { label: labels.issuedOn, value: day, style: BODY },
    { label: labels.dueOn, value: format.day(invoice.dueAt), style: STRONG },
    ...order,
  ];
}

type Columns = { readonly facts: readonly Fact[]; readonly start: number; readonly valueStart: number };

function placeFacts(sheet: Sheet): Columns {
  const { canvas, labels } = sheet;
  const facts = factsOf(sheet);
  const labelWidth = Math.max(...facts.map(({ label }) => canvas.widthOf(label, LABEL))) + LABEL_GAP;
  // An order's reference can be of any length and wraps; the other values are as wide as they are.
  const fixed = facts.filter(({ label }) => label !== labels.orderReference);
  const valueWidth = Math.max(...fixed.map(({ value, style }) => canvas.widthOf(value, style))) + 0.1;
  const start = Math.min(FACTS_START, RIGHT - labelWidth - valueWidth);
  return { facts, start, valueStart: start + labelWidth };
}

/** Below the seller's name: its address and numbers, and that it is only an example. */
function drawSeller({ canvas, invoice: { merchant, seller }, labels }: Sheet, room: number): number {
  const numbers = seller.numbers.map((fact) => `${factName(fact, labels)} ${fact.text}`);
  const lines = [seller.address.join(', '), numbers.join(' · ')].filter((line) => line !== '');
  let bottom = 0;
  canvas.tag('P', () => {
    const name = canvas.wrap(merchant.name, SELLER, room);
    bottom = writeBlock(canvas, name, LEFT, FIRST_BASELINE - lineHeightOf(SELLER), SELLER) + 2;
    for (const line of lines) {
      const wrapped = canvas.wrap(line, LABEL, room).slice(0, MOST_LINES_OF_SELLER_LINE);
      bottom = writeBlock(canvas, wrapped, LEFT, bottom, LABEL);
    }
    if (!seller.isExample) return;
    const example = { ...LABEL, color: ALARM };
    bottom = writeBlock(canvas, canvas.wrap(labels.testSeller, example, room), LEFT, bottom, example);
  });
  return bottom;
}

function drawBuyer({ canvas, invoice: { buyer }, labels }: Sheet, room: number): number {
  const [name, ...address] = buyer;
  // On the line of the first fact.
  let bottom = canvas.y + lineHeightOf(STRONG);
  if (name === undefined) return canvas.y;
  const wrapped = (line: string, style: Style): string[] =>
    canvas.wrap(line, style, room).slice(0, MOST_LINES_OF_BUYER_LINE);
  canvas.tag('H2', () => canvas.write(labels.billTo, LEFT, bottom, LABEL));
  canvas.tag('P', () => {
    bottom = writeBlock(canvas, wrapped(name, STRONG), LEFT, bottom + 2, STRONG);
    const lines = address.flatMap((line) => wrapped(line, BODY));
    bottom = writeBlock(canvas, lines, LEFT, bottom, BODY);
  });
  return bottom;
}

function drawFacts({ canvas }: Sheet, { facts, start, valueStart }: Columns): number {
  let bottom = canvas.y;
  for (const { label, value, style } of facts)
    canvas.tag('P', () => {
      const lines = canvas.wrap(value, style, RIGHT - valueStart);
      canvas.write(label, start, bottom + lineHeightOf(style), LABEL);
      bottom = writeBlock(canvas, lines, valueStart, bottom, style) + 2.5;
    });
  return bottom;
}

export function drawHead(sheet: Sheet): void {
  const { canvas, invoice, labels } = sheet;
  const columns = placeFacts(sheet);
  const room = columns.start - LEFT - COLUMN_GAP;
  const sellerBottom = drawSeller(sheet, room);
  const title = titleOf(invoice, labels);
  const style = shrink(canvas, title, TITLE, RIGHT - columns.start);
  canvas.tag('H1', () => canvas.write(title, columns.start, FIRST_BASELINE, style));
  canvas.y = sellerBottom + 14;
  canvas.decorate(() => canvas.line(LEFT, RIGHT, canvas.y, INK, 0.8));
  canvas.y += 12;
  canvas.y = Math.max(drawBuyer(sheet, room), drawFacts(sheet, columns)) + 24;
}
