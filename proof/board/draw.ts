// The board as a picture in the manner of Grafana: panels in its grid, with the kinds that it uses.
import type { Filled, Line } from './panels.ts';
import type { Span } from './prometheus.ts';
import { ticksTo, write } from './units.ts';

type Box = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

const COLUMN = 60;
const ROW = 31;
const GAP = 4;
const HEAD = 54;
export const WIDTH = 24 * COLUMN;
const COLOURS = '#73bf69 #f2cc0c #8ab8ff #ff780a #f2495c #5794f2 #b877d9 #96d98d #fade2a #ffb357'.split(' ');
const LEVELS: Readonly<Record<string, string>> = { red: '#c4162a', orange: '#e05400', green: '#37872d' };
const STYLE = `text{font:11px "DejaVu Sans",sans-serif;fill:#9fa7b3}.title{font-size:12px;font-weight:bold;fill:#d8d9da}
.row{font-size:14px;fill:#d8d9da}.value{font-size:30px;fill:#fff;font-weight:bold}.head{font-size:20px;fill:#fff}
.panel{fill:#181b1f;stroke:#2c3038}
.grid{stroke:#2c3038}.grid,.area{shape-rendering:crispEdges}.line{fill:none;stroke-width:1.3;stroke-linejoin:round}`;
// Of the small text, on average.
const LETTER = 6.4;
const LEGEND_LINE = 15;
const TIME_WIDTH = 80;
const TIME_STEPS_S = [10, 15, 30, 60, 120, 300, 600];
const MOST_LEGEND_LINES = 3;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escape(words)}</text>`;
const colourOf = (n: number): string => COLOURS[n % COLOURS.length] as string;
const clock = (at: number): string => new Date(at * 1_000).toISOString().slice(11, 19);

/** Whole times, as far from each other as their labels need, and none at the very edge. */
function timesIn({ from, to }: Span, width: number): readonly number[] {
  const secondsOfPixel = (to - from) / width;
  const least = TIME_WIDTH * secondsOfPixel;
  const step = TIME_STEPS_S.find((each) => each >= least) ?? least;
  const edge = (TIME_WIDTH / 3) * secondsOfPixel;
  const count = Math.ceil((to - from) / step);
  return Array.from({ length: count }, (_, n) => (Math.ceil(from / step) + n) * step).filter((at) => at < to - edge);
}

/** Runs of points with none missing between them. */
function runsOf({ points }: Line, step: number): readonly Line['points'][] {
  const runs: (readonly [number, number])[][] = [];
  for (const point of points) {
    const last = runs.at(-1)?.at(-1);
    if (last !== undefined && point[0] - last[0] <= step * 1.5) runs.at(-1)?.push(point);
    else runs.push([point]);
  }
  return runs;
}

/** Each on top of those before it. */
function stack(lines: readonly Line[]): readonly Line[] {
  const heights = new Map<number, number>();
  return lines.map(({ name, points }) => ({
    name,
    points: points.map(([at, value]) => {
      const height = (heights.get(at) ?? 0) + value;
      heights.set(at, height);
      return [at, height] as const;
    }),
  }));
}

/** Where each name stands, as many as there is room for. */
function legendOf(
  lines: readonly Line[],
  width: number,
): readonly (readonly [name: string, colour: string, x: number, row: number])[] {
  const placed: [string, string, number, number][] = [];
  let [x, row] = [0, 0];
  for (const [n, { name }] of lines.entries()) {
    const words = name === '' ? 'value' : name;
    const room = words.length * LETTER + 28;
    if (x > 0 && x + room > width) [x, row] = [0, row + 1];
    if (row >= MOST_LEGEND_LINES) {
      // Grafana would scroll.
      const last = placed.at(-1);
      if (last !== undefined) last[0] = `… ${lines.length - placed.length + 1} more`;
      break;
    }
    placed.push([words, colourOf(n), x, row]);
    x += room;
  }
  return placed;
}

function drawLines(lines: readonly Line[], box: Box, span: Span, top: number, fill: number): string {
  const x = (at: number): string => (box.x + ((at - span.from) / (span.to - span.from)) * box.w).toFixed(1);
  const y = (value: number): string => (box.y + box.h - (Math.max(0, value) / top) * box.h).toFixed(1);
  // The first is in front, so that what is stacked shows all of its parts.
  const drawn = lines.map((line, n) =>
    runsOf(line, span.step)
      .map((run) => {
        const path = run.map(([at, value], m) => `${m === 0 ? 'M' : 'L'}${x(at)} ${y(value)}`).join('');
        const [[begin] = [0], [end] = [0]] = [run[0], run.at(-1)];
        const area = `${path}L${x(end)} ${y(0)}L${x(begin)} ${y(0)}Z`;
        const colour = colourOf(n);
        // One point alone would not be seen.
        const dot =
          run.length === 1 ? `<circle cx="${x(begin)}" cy="${y(run[0]?.[1] ?? 0)}" r="1.5" fill="${colour}"/>` : '';
        return `<path class="area" d="${area}" fill="${colour}" opacity="${fill}"/><path class="line" d="${path}" stroke="${colour}"/>${dot}`;
      })
      .join(''),
  );
  return drawn.toReversed().join('');
}

function drawSeries({ panel, lines }: Filled, box: Box, span: Span): string {
  const { unit = 'none', custom } = panel.fieldConfig?.defaults ?? {};
  const isStacked = custom?.stacking?.mode === 'normal';
  const shown = isStacked ? stack(lines) : lines;
  const legend = legendOf(lines, box.w - 24);
  const legendRows = (legend.at(-1)?.[3] ?? 0) + 1;
  const plot = { x: box.x + 66, y: box.y + 32, w: box.w - 82, h: box.h - 60 - legendRows * LEGEND_LINE };
  if (lines.length === 0) return text(box.x + box.w / 2, box.y + box.h / 2, 'No data', 'text-anchor="middle"');
  const ticks = ticksTo(Math.max(...shown.flatMap(({ points }) => points.map(([, value]) => value))), unit);
  const top = ticks.at(-1) as number;
  const scale = ticks.map((tick) => {
    const y = plot.y + plot.h - (tick / top) * plot.h;
    const label = text(plot.x - 8, y + 4, write(tick, unit), 'text-anchor="end"');
    return `<path class="grid" d="M${plot.x} ${y.toFixed(1)}h${plot.w}"/>${label}`;
  });
  const times = timesIn(span, plot.w).map((at) => {
    const x = plot.x + ((at - span.from) / (span.to - span.from)) * plot.w;
    return text(x, plot.y + plot.h + 16, clock(at), 'text-anchor="middle"');
  });
  const names = legend.map(([name, colour, x, row]) => {
    const y = plot.y + plot.h + 34 + row * LEGEND_LINE;
    return `<rect x="${box.x + 12 + x}" y="${y - 5}" width="12" height="3" fill="${colour}"/>${text(box.x + 28 + x, y, name)}`;
  });
  const fill = (custom?.fillOpacity ?? 0) / 100;
  return [
    ...scale,
    ...times,
    drawLines(shown, plot, span, top, isStacked ? Math.max(fill, 0.35) : fill),
    ...names,
  ].join('');
}

function drawStat({ panel, lines: [line] }: Filled, box: Box, span: Span): string {
  const { unit = 'none', thresholds } = panel.fieldConfig?.defaults ?? {};
  const value = line?.points.at(-1)?.[1] ?? 0;
  const level = thresholds?.steps.findLast((step) => step.value === null || value >= step.value)?.color ?? 'green';
  const back = `<rect x="${box.x}" y="${box.y}" width="${box.w}" height="${box.h}" rx="2" fill="${LEVELS[level]}"/>`;
  const most = Math.max(1e-9, ...(line?.points ?? []).map(([, each]) => each));
  const plot = { x: box.x, y: box.y + box.h * 0.55, w: box.w, h: box.h * 0.45 };
  const area = line ? drawLines([line], plot, span, most, 0.9).replaceAll(colourOf(0), 'rgba(255,255,255,.28)') : '';
  const middle = `text-anchor="middle" class="value"`;
  return `${back}${area}${text(box.x + box.w / 2, box.y + box.h / 2 + 18, write(value, unit), middle)}`;
}

function drawPanel(filled: Filled, span: Span): string {
  const { type, title, gridPos } = filled.panel;
  const x = gridPos.x * COLUMN + GAP;
  const y = HEAD + gridPos.y * ROW + GAP;
  const box = { x, y, w: gridPos.w * COLUMN - 2 * GAP, h: gridPos.h * ROW - 2 * GAP };
  if (type === 'row') return text(x + 4, y + 18, title, 'class="row"');
  const frame = `<rect class="panel" x="${x}" y="${y}" width="${box.w}" height="${box.h}" rx="2"/>`;
  const inside = type === 'stat' ? drawStat(filled, box, span) : drawSeries(filled, box, span);
  const name = text(x + 12, y + 20, title, `class="title"${type === 'stat' ? ' style="fill:#fff"' : ''}`);
  return `<g>${frame}${inside}${name}</g>`;
}

export function drawBoard(board: readonly Filled[], span: Span, told: string): { svg: string; height: number } {
  const rows = Math.max(...board.map(({ panel: { gridPos } }) => gridPos.y + gridPos.h));
  const height = HEAD + rows * ROW + GAP;
  const head = `${text(12, 32, 'Kassa', 'class="head"')}${text(WIDTH - 12, 31, told, 'text-anchor="end"')}`;
  const panels = board.map((filled) => drawPanel(filled, span)).join('\n');
  const size = `width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"`;
  const back = `<rect width="100%" height="100%" fill="#111217"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><style>${STYLE}</style>${back}${head}\n${panels}</svg>`;
  return { svg, height };
}
