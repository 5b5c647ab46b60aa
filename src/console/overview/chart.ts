// Bars for amounts by day: what was charged above the line, what was refunded below it. Drawn by the server, so that it is
// there without a script, in print, and in either theme; the table beside it says the same in figures.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { ticksOf } from './scale.ts';
import type { Day } from './summary.ts';

const WIDTH = 720;
const HEIGHT = 200;
const GAP = 0.25;

const round = (value: number): string => value.toFixed(2);

const percent = (part: number): string => `${(part * 100).toFixed(2)}%`;

type Words = {
  readonly label: string;
  readonly sayBar: (day: Day) => string;
  readonly sayTick: (amount: number) => string;
};

/** The bars are stretched to the width that there is; the scale stands around them, so that its words are not. */
export function renderChart(days: readonly Day[], { label, sayBar, sayTick }: Words): Html {
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
  const ticks = ticksOf(highest, lowest).map((amount) => {
    const y = percent((highest - amount) / (highest + lowest));
    return html`<line class="${amount === 0 ? 'axis' : 'step'}" x1="0" x2="100%" y1="${y}" y2="${y}" />
      <text x="0" y="${y}" dy="-3">${sayTick(amount)}</text>`;
  });
  return html`<svg class="chart" role="img" aria-label="${label}">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="100%" height="100%" preserveAspectRatio="none">${bars}</svg>
    ${ticks}
  </svg>`;
}

/** How much of a whole, as a bar. */
export function renderShare(share: number): Html {
  return html`<svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="whole" width="100" height="6" rx="3" />
    <rect class="charged" width="${round(Math.max(1, share * 100))}" height="6" rx="3" />
  </svg>`;
}
