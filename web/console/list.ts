// What moves on the list of payments: an address without what narrows nothing, rows that lead to their payments, and new
// payments, which are told of and come in when they are asked for.
import { BACKGROUND } from './background.ts';
import { fillIn, formFor } from '../shared/fill-in.ts';
import type { Forms } from '../shared/fill-in.ts';
import { locale, showTimes } from './times.ts';

const LOOK_MS = 10_000;
const SLOWEST_LOOK_MS = 60_000;
// Nobody who has gone away is taken for somebody who looks: half an hour after the last touch it stops.
const MOST_LOOKS = 180;
const PAGE_ROWS = 50;

/** What narrows nothing is not in the address. */
function startFilters(): void {
  document.querySelector<HTMLFormElement>('form.filters')?.addEventListener('formdata', ({ formData }) => {
    const empty = Array.from(formData).filter(([, value]) => value === '');
    for (const [name] of empty) formData.delete(name);
  });
}

const rowsOf = (page: ParentNode): HTMLTableRowElement[] => [
  ...page.querySelectorAll<HTMLTableRowElement>('table.payments tbody tr'),
];
const idOf = (row: HTMLElement): string => row.dataset['id'] ?? '';

/** Above what is shown, which stays where it is on the screen. */
function bringIn(rows: readonly HTMLTableRowElement[], first: HTMLTableRowElement): void {
  const before = first.getBoundingClientRect().top;
  for (const row of rows) {
    row.classList.add('new');
    showTimes(row);
  }
  first.before(...rows);
  if (window.scrollY > 0) window.scrollBy(0, first.getBoundingClientRect().top - before);
}

async function showNew(): Promise<void> {
  const answer = await fetch(location.href);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const shown = rowsOf(document);
  const known = new Set(shown.map(idOf));
  const rows = rowsOf(page);
  const fresh = rows.filter((row) => !known.has(idOf(row)));
  const [first] = shown;
  // Where nothing of the page is left, there may be others in between.
  if (!answer.ok || first === undefined || fresh.length === rows.length) return location.reload();
  bringIn(
    fresh.filter((row) => idOf(row) > idOf(shown.at(-1) as HTMLElement)).map((row) => document.adoptNode(row)),
    first,
  );
}

function tell(place: HTMLElement, count: number): void {
  if (count === 0) return place.replaceChildren();
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'primary';
  const { forms, many } = JSON.parse(place.dataset['texts'] ?? '') as { readonly forms: Forms; readonly many: string };
  button.textContent = fillIn(count >= PAGE_ROWS ? many : formFor(forms, count, locale), { count });
  button.addEventListener('click', () => {
    place.replaceChildren();
    showNew().catch(() => location.reload());
  });
  if (place.textContent !== button.textContent) place.replaceChildren(button);
}

function countNew(ids: readonly string[]): number {
  const shown = rowsOf(document).map(idOf);
  const oldest = shown.length < PAGE_ROWS ? '' : (shown.at(-1) ?? '');
  return ids.filter((id) => !shown.includes(id) && id > oldest).length;
}

function startLooking(): void {
  const place = document.querySelector<HTMLElement>('[data-newest]');
  const address = place?.dataset['newest'];
  if (!place || address === undefined) return;
  let [looks, pauseMs, isOver] = [0, LOOK_MS, false];
  for (const touch of ['pointerdown', 'keydown', 'scroll'] as const)
    document.addEventListener(touch, () => (looks = 0), { passive: true });
  const look = async (): Promise<void> => {
    if (document.hidden || looks >= MOST_LOOKS) return;
    // The first one after a touch is the person's.
    looks += 1;
    try {
      const answer = await fetch(address, looks > 1 ? BACKGROUND : {});
      isOver = answer.status === 401 || answer.status === 404;
      if (!answer.ok) throw new Error(`${answer.status}`);
      tell(place, countNew(((await answer.json()) as { ids: string[] }).ids));
      pauseMs = LOOK_MS;
    } catch {
      pauseMs = Math.min(pauseMs * 2, SLOWEST_LOOK_MS);
    }
  };
  const goOn = (): void => {
    if (!isOver) setTimeout(() => void look().finally(goOn), pauseMs);
  };
  goOn();
}

/** A click anywhere on a row is one on its link; not where it ends a selection of text. */
function startRows(): void {
  document.querySelector('table.payments tbody')?.addEventListener('click', (event) => {
    const { target, ctrlKey, metaKey, shiftKey } = event as MouseEvent;
    const isOwn = target instanceof Element && target.closest('a') === null;
    const link = isOwn ? target.closest('tr')?.querySelector('a') : undefined;
    if (!link || getSelection()?.isCollapsed === false) return;
    link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
  });
}

export function startList(): void {
  startFilters();
  startRows();
  startLooking();
}
