// The items of an invoice, a row each: on one line where name and number are short, so that many fit on a page. A charge or
// refund of an amount alone has one row that says what it is a part of.
import { fillIn } from '../../../web/shared/fill-in.ts';
import type { OrderItem } from '../../domain/item.ts';
import { INK, LEFT, RIGHT } from './pdf-canvas.ts';
import { BODY, cellOf, MUTED, SMALL, unbroken } from './pdf-sheet.ts';
import type { Sheet } from './pdf-sheet.ts';
import { drawTable, planTable } from './table.ts';
import type { Column, Row, Table } from './table.ts';

// Points. What is longer stands below the name: in a column it would take the room of all names.
const MOST_OF_NUMBER = 84;
const MOST_OF_QUANTITY = 92;

type NumberPlace = 'column' | 'below' | 'nowhere';

/** Where the number of an item goes; one that only repeats the name says nothing. */
function placeOfNumber({ canvas }: Sheet, { name, reference }: OrderItem): NumberPlace {
  if (reference === name) return 'nowhere';
  return canvas.widthOf(reference, MUTED) <= MOST_OF_NUMBER ? 'column' : 'below';
}

function rowOfItem({ format }: Sheet, item: OrderItem, place: NumberPlace, hasColumn: boolean): Row {
  const { name, reference } = item;
  const isBelow = place === 'below' || (place === 'column' && !hasColumn);
  return {
    cells: [
      [{ text: name, style: BODY }, ...(isBelow ? [{ text: reference, style: SMALL }] : [])],
      ...(hasColumn ? [place === 'column' ? cellOf(reference, MUTED) : []] : []),
      cellOf(`${format.quantity(item.quantity)} ${item.unit}`),
      cellOf(format.figure(item.unitPrice)),
      cellOf(format.rate(item.taxRate)),
      cellOf(format.figure(item.taxAmount)),
      cellOf(format.figure(item.grossTotalAmount)),
    ],
  };
}

function rowOfPart({ invoice, labels, format }: Sheet): Row {
  const { credits, reference, paymentId, amount } = invoice;
  const order =
    reference === undefined ? `${labels.paymentId}: ${paymentId}` : `${labels.orderReference}: ${reference}`;
  const what = credits ? fillIn(labels.creditPart, { invoice: String(credits.number) }) : labels.partialAmount;
  return { cells: [[...cellOf(what), ...cellOf(order, SMALL)], cellOf(format.figure(amount))] };
}

function planItems(sheet: Sheet): Table {
  const { canvas, invoice, labels } = sheet;
  const item: Column = { label: labels.item, align: 'left', rest: true };
  // The figures of a table have no currency, so that their digits stand below each other.
  const total: Column = { label: `${labels.total} (${invoice.currency})`, align: 'right' };
  if (invoice.items.length === 0)
    return planTable(canvas, [item, { ...total, label: unbroken(total.label) }], [rowOfPart(sheet)], LEFT);
  const places = invoice.items.map((one) => placeOfNumber(sheet, one));
  const countOf = (place: NumberPlace): number => places.filter((one) => one === place).length;
  const hasColumn = countOf('column') > countOf('below');
  const columns: Column[] = [
    item,
    ...(hasColumn ? [{ label: labels.itemNumber, align: 'left' } as const] : []),
    { label: labels.quantity, align: 'right', most: MOST_OF_QUANTITY },
    { label: labels.unitPrice, align: 'right' },
    { label: labels.taxRate, align: 'right' },
    { label: labels.tax, align: 'right' },
    total,
  ];
  const rows = invoice.items.map((one, index) => rowOfItem(sheet, one, places[index] ?? 'nowhere', hasColumn));
  return planTable(canvas, columns, rows, LEFT);
}

/** Draws them so that the last stand on the page of what comes below, which is so many points high. */
export async function drawItems(sheet: Sheet, below: number): Promise<void> {
  const { canvas, signal } = sheet;
  await drawTable(canvas, planItems(sheet), { below, signal });
  canvas.decorate(() => canvas.line(LEFT, RIGHT, canvas.y, INK, 0.8));
}
