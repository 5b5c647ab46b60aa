// The board as its file has it, and what Prometheus gives for each of its panels.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../program.ts';
import { SCRAPE_EVERY_S } from './prometheus.ts';
import type { Prometheus, Series, Span } from './prometheus.ts';

type Step = { readonly color: string; readonly value: number | null };

export type Panel = {
  readonly type: 'row' | 'stat' | 'timeseries';
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[];
  readonly fieldConfig?: {
    readonly defaults: {
      readonly unit: string;
      readonly thresholds?: { readonly steps: readonly Step[] };
      readonly custom?: { readonly fillOpacity: number; readonly stacking?: { readonly mode: string } };
    };
  };
};

export type Line = { readonly name: string; readonly points: Series['points'] };
export type Filled = { readonly panel: Panel; readonly lines: readonly Line[] };

// As Grafana does it: at least four scrapes.
const RATE_INTERVAL = `${4 * SCRAPE_EVERY_S}s`;

const nameOf = (legend: string, { labels }: Series): string =>
  legend.replaceAll(/\{\{ ?(\w+) ?\}\}/g, (_, label: string) => labels[label] ?? '').trim();

async function fill(panel: Panel, prometheus: Prometheus, span: Span): Promise<Filled> {
  const lines: Line[] = [];
  for (const { expr, legendFormat = '' } of panel.targets ?? []) {
    const found = await prometheus.ask(expr.replaceAll('$__rate_interval', RATE_INTERVAL), span);
    lines.push(...found.map((series) => ({ name: nameOf(legendFormat, series), points: series.points })));
  }
  return { panel, lines: lines.filter(({ points }) => points.length > 0) };
}

export async function fillBoard(prometheus: Prometheus, span: Span): Promise<readonly Filled[]> {
  const board = JSON.parse(readFileSync(join(root, 'deploy/grafana/kassa.json'), 'utf8')) as { panels: Panel[] };
  const filled: Filled[] = [];
  for (const panel of board.panels) filled.push(await fill(panel, prometheus, span));
  return filled;
}
