// Draws a table that may go over many pages: columns of figures are as wide as their widest figure and set to the
// right, one column takes the rest and wraps. A row never breaks; every page repeats the head.
import { setImmediate } from 'node:timers/promises';
import { BOTTOM, GREY, INK, LINE, RIGHT } from './paper.ts';
import type { Paper, Style } from './paper.ts';

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

const GAP = 13;
const PADDING = 4.2;
const LEADING = 1.32;
const HEAD: Style = { size: 7.2, bold: true, color: GREY };

const heightOf = (lines: readonly Line[]): number =>
  lines.reduce((height, { style }) => height + style.size * LEADING, 0);

/** The narrowest that takes a label on two lines, broken between words. */
function widthOfLabel(paper: Paper, label: string): number {
  const words = label.split(' ');
  const widths = words.map((_, index) => {
    const lines = [words.slice(0, index + 1), words.slice(index + 1)];
    return Math.max(...lines.map((line) => paper.widthOf(line.join(' '), HEAD)));
  });
  return Math.min(...widths);
}

function widthOfColumn(paper: Paper, column: Column, index: number, rows: readonly Row[]): number {
  let width = widthOfLabel(paper, column.label);
  for (const { cells } of rows)
    for (const { text, style } of cells[index] ?? []) width = Math.max(width, paper.widthOf(text, style));
  // A hair more, since a sum of widths of words may differ from the width of the line.
  return Math.min(width + 0.1, column.most ?? width + 0.1);
}

/** Columns side by side, ending at the right edge of the page; without a column for the rest the table is narrower. */
function placeColumns(paper: Paper, columns: readonly Column[], rows: readonly Row[], left: number): Placed[] {
  const widths = columns.map((column, index) => (column.rest ? 0 : widthOfColumn(paper, column, index, rows)));
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

const breakLines = (paper: Paper, paragraphs: readonly Paragraph[], width: number): Line[] =>
  paragraphs.flatMap(({ text, style }) => paper.wrap(text, style, width).map((line) => ({ text: line, style })));

function writeLines(paper: Paper, lines: readonly Line[], column: Placed, top: number): void {
  let y = top;
  for (const { text, style } of lines) {
    // The capitals of the first line stand as far below the row's edge as the last line's feet stand above it.
    const baseline = y + style.size * 1.02;
    if (column.align === 'right') paper.write(text, column.start + column.width, baseline, style, 'right');
    else paper.write(text, column.start, baseline, style);
    y += style.size * LEADING;
  }
}

type Head = { readonly lines: readonly (readonly Line[])[]; readonly height: number };

function writeHeadCell(paper: Paper, head: Head, columns: readonly Placed[], index: number): void {
  const [lines, column] = [head.lines[index], columns[index]];
  if (lines === undefined || column === undefined) return;
  writeLines(paper, lines, column, paper.y + head.height - PADDING - heightOf(lines));
}

function finishHead(paper: Paper, head: Head, left: number): void {
  paper.y += head.height;
  paper.decorate(() => paper.line(left, RIGHT, paper.y, INK, 0.8));
}

/** Draws the table from where the paper is; the space of its head and first row is kept together. */
export async function drawTable(
  paper: Paper,
  columns: readonly Column[],
  rows: readonly Row[],
  left: number,
  signal?: AbortSignal,
): Promise<void> {
  const placed = placeColumns(paper, columns, rows, left);
  const start = placed[0]?.start ?? left;
  const headLines = placed.map(({ label, width }) => breakLines(paper, [{ text: label, style: HEAD }], width));
  const head: Head = { lines: headLines, height: Math.max(...headLines.map(heightOf)) + PADDING };
  const table = paper.open('Table');

  const drawHead = (): void => {
    const row = paper.open('TR', table);
    for (const index of placed.keys()) paper.tag('TH', () => writeHeadCell(paper, head, placed, index), row, 'Column');
    row.end();
    finishHead(paper, head, start);
  };
  const repeatHead = (): void => {
    paper.decorate(() => {
      for (const index of placed.keys()) writeHeadCell(paper, head, placed, index);
    });
    finishHead(paper, head, start);
  };

  for (const [number, row] of rows.entries()) {
    const cells = placed.map((column, index) => breakLines(paper, row.cells[index] ?? [], column.width));
    const height = Math.max(...cells.map(heightOf)) + 2 * PADDING;
    const isFirst = number === 0;
    if (!paper.has(height + (isFirst ? head.height : 0))) {
      paper.breakPage();
      if (!isFirst) repeatHead();
      // A thousand items take a while; between two pages one can hear that nobody waits any more.
      await setImmediate();
      signal?.throwIfAborted();
    }
    if (isFirst) drawHead();
    const top = paper.y;
    const structure = paper.open('TR', table);
    for (const [index, column] of placed.entries())
      paper.tag('TD', () => writeLines(paper, cells[index] ?? [], column, top + PADDING), structure);
    structure.end();
    paper.y = Math.min(top + height, BOTTOM);
    const isLast = number === rows.length - 1;
    const beforeSum = rows[number + 1]?.isSum === true;
    if (!isLast) paper.decorate(() => paper.line(start, RIGHT, paper.y, beforeSum ? INK : LINE, beforeSum ? 0.8 : 0.5));
  }
  table.end();
}
