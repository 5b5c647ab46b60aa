// A picture of latency against rate: for each kind of request one panel of latencies, on a logarithmic scale, and below it
// one of what was done and what was refused.
import { figuresOf } from './report.ts';
import type { RateFigures } from './report.ts';
import type { RateResult } from './run.ts';

const [WIDTH, HEIGHT, LEFT, TOP, GAP] = [280, 190, 64, 54, 64];
const COLORS = {
  p50: '#2563eb',
  p99: '#b45309',
  done: '#15803d',
  refused: '#b91c1c',
  line: '#6b7280',
  grid: '#e5e7eb',
};

type Point = readonly [x: number, y: number];
type Scale = (value: number) => number;

const at = (value: number): string => value.toFixed(1);

const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${at(x)}" y="${at(y)}" ${more}>${words}</text>`;

const line = (points: readonly Point[], color: string, more = ''): string =>
  `<polyline fill="none" stroke="${color}" stroke-width="2" ${more} points="${points
    .map(([x, y]) => `${at(x)},${at(y)}`)
    .join(' ')}"/>`;

const dots = (points: readonly Point[], color: string): string =>
  points.map(([x, y]) => `<circle cx="${at(x)}" cy="${at(y)}" r="2.5" fill="${color}"/>`).join('');

const curve = (points: readonly Point[], color: string): string => line(points, color) + dots(points, color);

/** A round step of which four to eight fit. */
function stepOf(most: number): number {
  const decade = 10 ** Math.floor(Math.log10(most / 4));
  return [1, 2, 5, 10].map((times) => times * decade).find((step) => most / step <= 6) ?? decade * 10;
}

const ticksTo = (most: number): number[] => {
  const step = stepOf(most);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
};

/** The frame, the rates below it, and what the service bears as a broken line. */
function frame(left: number, top: number, x: Scale, most: number, rates: readonly number[]): string {
  const bottom = top + HEIGHT;
  const labels = rates.map((rate) => text(x(rate), bottom + 15, String(rate), 'text-anchor="middle"'));
  const box = `<rect x="${left}" y="${top}" width="${WIDTH}" height="${HEIGHT}" fill="none" stroke="${COLORS.line}"/>`;
  const middle: readonly Point[] = [
    [x(most), top],
    [x(most), bottom],
  ];
  return box + labels.join('') + line(middle, COLORS.line, 'stroke-dasharray="4 4" opacity="0.7"');
}

const grid = (left: number, y: number, label: string): string =>
  `<path d="M${left} ${at(y)}h${WIDTH}" stroke="${COLORS.grid}"/>${text(left - 6, y + 4, label, 'text-anchor="end"')}`;

function panelsOf(figures: readonly RateFigures[], left: number): string {
  const [first] = figures;
  if (first === undefined) return '';
  const highest = Math.max(...figures.map(({ duePerSecond }) => duePerSecond)) * 1.05;
  const x: Scale = (rate) => left + (rate / highest) * WIDTH;
  const longest = Math.max(...figures.map(({ p99Ms }) => p99Ms), 10);
  const decades = Array.from({ length: Math.ceil(Math.log10(longest)) + 1 }, (_, n) => 10 ** n);
  const span = Math.log10(decades.at(-1) as number);
  const ms: Scale = (value) => TOP + HEIGHT - (Math.log10(Math.max(1, value)) / span) * HEIGHT;
  const below = TOP + HEIGHT + GAP;
  const rate: Scale = (value) => below + HEIGHT - (value / highest) * HEIGHT;
  const rates = ticksTo(highest);
  const points = (of: (figure: RateFigures) => number): Point[] =>
    figures.map((figure) => [x(figure.duePerSecond), of(figure)]);
  return [
    text(left, TOP - 12, first.operation, 'font-weight="bold"'),
    ...decades.map((value) => grid(left, ms(value), `${value} ms`)),
    frame(left, TOP, x, first.mostPerSecond, rates),
    curve(
      points(({ p50Ms }) => ms(p50Ms)),
      COLORS.p50,
    ),
    curve(
      points(({ p99Ms }) => ms(p99Ms)),
      COLORS.p99,
    ),
    ...rates.map((value) => grid(left, rate(value), String(value))),
    frame(left, below, x, first.mostPerSecond, rates),
    curve(
      points(({ donePerSecond }) => rate(donePerSecond)),
      COLORS.done,
    ),
    curve(
      points(({ refusedPerSecond }) => rate(refusedPerSecond)),
      COLORS.refused,
    ),
  ].join('\n');
}

export function ratesSvg(results: readonly RateResult[]): string {
  const figures = results.map(figuresOf);
  const operations = [...new Set(figures.map(({ operation }) => operation))];
  const width = operations.length * (WIDTH + LEFT + 12) + 12;
  const height = TOP + 2 * HEIGHT + GAP + 58;
  const legend = Object.entries({ p50: 'p50', p99: 'p99', done: 'done a second', refused: '503 a second' }).map(
    ([name, words], n) => {
      const [color, x] = [COLORS[name as keyof typeof COLORS], LEFT + n * 130];
      return `<rect x="${x}" y="12" width="12" height="12" fill="${color}"/>${text(x + 18, 22, words)}`;
    },
  );
  const note = 'Across: requests due in a second. Broken line: what it bears with all connections busy.';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"
  font-family="system-ui, sans-serif" font-size="11" fill="#111827" role="img"
  aria-label="Latency and requests done against requests due in a second">
<rect width="100%" height="100%" fill="#ffffff"/>
${legend.join('\n')}
${operations
  .map((operation, n) =>
    panelsOf(
      figures.filter((figure) => figure.operation === operation),
      LEFT + n * (WIDTH + LEFT + 12),
    ),
  )
  .join('\n')}
${text(LEFT, height - 12, note)}
</svg>
`;
}
