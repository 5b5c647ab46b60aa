// Bars for amounts by day: what was charged above the line, what was refunded below it. Drawn by the server, so that it is
// there without a script, in print, and in either theme; the table beside it says the same in figures.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Day } from './summary.ts';

const WIDTH = 720;
const HEIGHT = 200;
const GAP = 0.25;

const round = (value: number): string => value.toFixed(2);

export function renderChart(days: readonly Day[], label: string, sayBar: (day: Day) => string): Html {
  const highest = Math.max(1, ...days.map(({ charged }) => charged));
  const lowest = Math.max(0, ...days.map(({ refunded }) => refunded));
  const scale = HEIGHT / (highest + lowest);
  const line = highest * scale;
  const step = WIDTH / days.length;
  const width = round(step * (1 - GAP));
  const bars = days.map((day, index) => {
    const { charged, refunded } = day;
    const x = round(index * step + (step * GAP) / 2);
    const up = charged * scale;
    return html`<g>
      <title>${sayBar(day)}</title>
      <rect class="column" x="${round(index * step)}" y="0" width="${round(step)}" height="${HEIGHT}" />
      ${
        charged > 0 &&
        html`<rect class="charged" x="${x}" y="${round(line - up)}" width="${width}" height="${round(up)}" rx="1.5" />`
      }
      ${
        refunded > 0 &&
        html`<rect
          class="refunded"
          x="${x}"
          y="${round(line)}"
          width="${width}"
          height="${round(refunded * scale)}"
          rx="1.5"
        />`
      }
    </g>`;
  });
  return html`<svg
    class="chart"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${bars}
    <line class="axis" x1="0" x2="${WIDTH}" y1="${round(line)}" y2="${round(line)}" />
  </svg>`;
}

/** How much of a whole, as a bar. */
export function renderShare(share: number): Html {
  return html`<svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="whole" width="100" height="6" rx="3" />
    <rect class="charged" width="${round(Math.max(1, share * 100))}" height="6" rx="3" />
  </svg>`;
}
