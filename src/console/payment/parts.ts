// Pagination of long lists on a payment's page, with plain links.
import type { FastifyRequest } from 'fastify';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Place } from '../page/frame.ts';
import { paymentPath } from '../page/frame.ts';
import { consoleTexts, fill, showCount } from '../texts.ts';

/** How many of each there are in a part. */
const SIZES = { items: 50, story: 25 } as const;
type Name = keyof typeof SIZES;
const NAMES = Object.keys(SIZES) as Name[];

/** Which part of each list, from 1; of one that is not named, the first. */
export type Wanted = Readonly<Partial<Record<Name, number>>>;

export type Part = {
  /** The first of the list, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  /** The way to the other parts, where there are any. */
  readonly links: Html | false;
};

export function wantedOf({ query }: FastifyRequest): Wanted {
  const given = query as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    NAMES.map((name) => [name, String(given[name])] as const)
      .filter(([, text]) => /^[1-9]\d{0,3}$/.test(text))
      .map(([name, text]) => [name, Number(text)]),
  );
}

/** The part in which one stands that is at that place of its list. */
export const partWith = (name: Name, index: number): number => Math.floor(Math.max(0, index) / SIZES[name]) + 1;

function addressOf(place: Place, paymentId: string, wanted: Wanted, name: Name): string {
  const query = NAMES.filter((each) => (wanted[each] ?? 1) > 1)
    .map((each) => `${each}=${wanted[each]}`)
    .join('&');
  return `${paymentPath(place, paymentId)}${query && `?${query}`}#${name}-title`;
}

/** The part of a list of so many that is wanted, or the last one where there are not as many. */
export function partOf(place: Place, paymentId: string, wanted: Wanted, name: Name, all: number): Part {
  const { language } = place.member;
  const { pagesOfList, previousPart, nextPart, partOfAll } = consoleTexts(language).frame;
  const last = partWith(name, all - 1);
  const at = Math.min(wanted[name] ?? 1, last);
  const from = (at - 1) * SIZES[name];
  const to = Math.min(all, from + SIZES[name]);
  const link = (number: number, text: string, rel: string): Html | false =>
    number >= 1 &&
    number <= last &&
    html`<a class="button" rel="${rel}" href="${addressOf(place, paymentId, { ...wanted, [name]: number }, name)}"
      >${text}</a
    >`;
  const show = (count: number): string => showCount(count, language);
  const links =
    last > 1 &&
    html`<nav class="toolbar parts" aria-label="${pagesOfList}">
      <span class="hint">${fill(partOfAll, { from: show(from + 1), to: show(to), all: show(all) })}</span>
      ${link(at - 1, previousPart, 'prev')} ${link(at + 1, nextPart, 'next')}
    </nav>`;
  return { from, to, links };
}
