// A banner on all pages of a merchant whose test clock is ahead.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { localeOf } from '../../pages/language.ts';
import type { Language } from '../../pages/language.ts';
import { nowOf } from '../../payments/clock.ts';
import { consoleTexts, fillHtml } from '../texts.ts';
import type { Member } from '../visitor.ts';
import { renderTime } from './time.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** In the largest unit of which there is one: "8 days". */
export function showSpan(ms: number, language: Language): string {
  const [unit, unitMs] = UNITS.find(([, each]) => ms >= each) ?? UNITS[3];
  const format = new Intl.NumberFormat(localeOf(language), { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.floor(ms / unitMs));
}

export function renderClockBanner({ merchant, language }: Member, sandboxUrl: string): Html | false {
  const { clockAheadMs } = merchant;
  if (clockAheadMs === undefined) return false;
  const texts = consoleTexts(language).sandbox;
  const values = { span: showSpan(clockAheadMs, language), time: renderTime(nowOf(merchant), language) };
  return html`<p class="notice wait" role="note">
    ${fillHtml(texts.banner, values)} <a href="${sandboxUrl}">${texts.clock}</a>
  </p>`;
}
