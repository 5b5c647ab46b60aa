// Draws a table over one or more pages: numeric columns are as wide as their widest value and right-aligned, one column
// takes the rest and wraps. Rows never break; every page repeats the header; the last rows are on the page of the content
// below, so that sums are not alone on a page.
import { setImmediate } from 'node:timers/promises';
import { BOTTOM, GREY, INK, LINE, RIGHT, TOP } from './pdf-canvas.ts';
import type { Canvas, Style } from './pdf-canvas.ts';

export type Column = {
  readonly label: string;
  readonly align: 'left' | 'right';
  /** Takes what the others leave. */
  readonly rest?: true;
  /** The widest it becomes, in points; what is wider wraps. */
  readonly most?: number;
};

export type Paragraph = { readonly text: string; readonly style: Style };
export type Row = { readonly cells: readonly (readonly Paragraph[])[]; readonly isSum?: true };

type Placed = Column & { readonly start: number; readonly width: number };
type Line = { readonly text: string; readonly style: Style };
type Head = { readonly lines: readonly (readonly Line[])[]; readonly height: number };

/** Rows with the places of their columns, not drawn yet. */
export type Table = { readonly columns: readonly Placed[]; readonly head: Head; readonly rows: readonly Row[] };

const GAP = 13;
const PADDING = 2.4;
const HEAD_PADDING = 3.6;
const LEADING = 1.32;
const HEAD: Style = { size: 7.2, bold: true, color: GREY };
// The last row alone would look like a part of the sums.
const ROWS_KEPT_WITH_REST = 2;

const heightOfLines = (lines: readonly Line[]): number =>
  lines.reduce((height, { style }) => height + style.size * LEADING, 0);

/** The narrowest that takes a label on two lines, broken between words. */
function widthOfLabel(canvas: Canvas, label: string): number {
  const words = label.split(' ');
  const widths = words.map((_, index) => {
    const lines = [words.slice(0, index + 1), words.slice(index + 1)];
    return Math.max(...lines.map((line) => canvas.widthOf(line.join(' '), HEAD)));
  });
  return Math.min(...widths);
}

function widthOfColumn(canvas: Canvas, column: Column, index: number, rows: readonly Row[]): number {
  let width = widthOfLabel(canvas, column.label);
  for (const { cells } of rows)
    for (const { text, style } of cells[index] ?? []) width = Math.max(width, canvas.widthOf(text, style));
  // A hair more, since a sum of widths of words may differ from the width of the line.
  return Math.min(width + 0.1, column.most ?? width + 0.1);
}

/** Columns side by side, ending at the right edge of the page; without a column for the rest the table is narrower. */
function placeColumns(canvas: Canvas, columns: readonly Column[], rows: readonly Row[], left: number): Placed[] {
  const widths = columns.map((column, index) => (column.rest ? 0 : widthOfColumn(canvas, column, index, rows)));
  const used = widths.reduce((sum, width) => sum + width, 0) + GAP * (columns.length - 1);
  const rest = RIGHT - left - used;
  let start = columns.some((column) => column.rest) ? left : RIGHT - used;
  return columns.map((column, index) => {
    const width = column.rest ? rest : (widths[index] ?? 0);
    const placed = { ...column, start, width };
    start += width + GAP;
    return placed;
  });
}

const breakLines = (canvas: Canvas, paragraphs: readonly Paragraph[], width: number): Line[] =>
  paragraphs.flatMap(({ text, style }) => canvas.wrap(text, style, width).map((line) => ({ text: line, style })));

const breakRow = (canvas: Canvas, columns: readonly Placed[], row: Row): Line[][] =>
  columns.map((column, index) => breakLines(canvas, row.cells[index] ?? [], column.width));

const heightOfRow = (cells: readonly (readonly Line[])[]): number =>
  Math.max(...cells.map(heightOfLines)) + 2 * PADDING;

export function planTable(canvas: Canvas, columns: readonly Column[], rows: readonly Row[], left: number): Table {
  const placed = placeColumns(canvas, columns, rows, left);
  const lines = placed.map(({ label, width }) => breakLines(canvas, [{ text: label, style: HEAD }], width));
  return { columns: placed, head: { lines, height: Math.max(...lines.map(heightOfLines)) + HEAD_PADDING }, rows };
}

/** Of the head and the first rows, or all of them. */
export const heightOfTable = (canvas: Canvas, { columns, head, rows }: Table, first = rows.length): number =>
  rows.slice(0, first).reduce((height, row) => height + heightOfRow(breakRow(canvas, columns, row)), head.height);

function writeLines(canvas: Canvas, lines: readonly Line[], column: Placed, top: number): void {
  let y = top;
  for (const { text, style } of lines) {
    // The capitals of the first line stand as far below the row's edge as the last line's feet stand above it.
    const baseline = y + style.size * 1.02;
    if (column.align === 'right') canvas.write(text, column.start + column.width, baseline, style, 'right');
    else canvas.write(text, column.start, baseline, style);
    y += style.size * LEADING;
  }
}

function writeHeadCell(canvas: Canvas, { head, columns }: Table, index: number): void {
  const [lines, column] = [head.lines[index], columns[index]];
  if (lines === undefined || column === undefined) return;
  writeLines(canvas, lines, column, canvas.y + head.height - HEAD_PADDING - heightOfLines(lines));
}

type Ending = {
  /** What has to stand on the page of the last rows, in points. */
  readonly below?: number;
  readonly signal?: AbortSignal | undefined;
};

/** Draws the table from where the canvas is; its head stands on the page of its first row. */
export async function drawTable(canvas: Canvas, plan: Table, { below = 0, signal }: Ending): Promise<void> {
  const { columns, head, rows } = plan;
  const start = columns[0]?.start ?? RIGHT;
  const table = canvas.open('Table');

  const finishHead = (): void => {
    canvas.y += head.height;
    canvas.decorate(() => canvas.line(start, RIGHT, canvas.y, INK, 0.8));
  };
  const drawHead = (): void => {
    const row = canvas.open('TR', table);
    for (const index of columns.keys()) canvas.tag('TH', () => writeHeadCell(canvas, plan, index), row, 'Column');
    row.end();
    finishHead();
  };
  const repeatHead = (): void => {
    canvas.decorate(() => {
      for (const index of columns.keys()) writeHeadCell(canvas, plan, index);
    });
    finishHead();
  };

  const firstKept = Math.max(0, rows.length - ROWS_KEPT_WITH_REST);
  for (const [number, row] of rows.entries()) {
    const cells = breakRow(canvas, columns, row);
    const height = heightOfRow(cells);
    const isFirst = number === 0;
    let needed = height;
    if (number === firstKept) {
      const kept = heightOfTable(canvas, { ...plan, rows: rows.slice(number) }) - head.height + below;
      // What no page has room for goes over pages as it comes.
      if (head.height + kept <= BOTTOM - TOP) needed = kept;
    }
    if (!canvas.has(needed + (isFirst ? head.height : 0))) {
      canvas.breakPage();
      if (!isFirst) repeatHead();
      // A thousand items take a while; between two pages one can hear that nobody waits any more.
      await setImmediate();
      signal?.throwIfAborted();
    }
    if (isFirst) drawHead();
    const top = canvas.y;
    const structure = canvas.open('TR', table);
    for (const [index, column] of columns.entries())
      canvas.tag('TD', () => writeLines(canvas, cells[index] ?? [], column, top + PADDING), structure);
    structure.end();
    canvas.y = Math.min(top + height, BOTTOM);
    const isLast = number === rows.length - 1;
    const beforeSum = rows[number + 1]?.isSum === true;
    if (!isLast)
      canvas.decorate(() => canvas.line(start, RIGHT, canvas.y, beforeSum ? INK : LINE, beforeSum ? 0.8 : 0.5));
  }
  table.end();
}
