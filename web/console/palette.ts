// The search for everything, under Ctrl-K: the pages of the console, the merchants one can change to, and payments by
// whatever is known of them. It is made of the links that the page has, so that it offers nothing that one may not see; where
// what is typed belongs to one payment alone, that one is offered as well.
import { fillIn } from '../shared/fill-in.ts';

type Choice = { readonly text: string; readonly href: string };

const MOST_SHOWN = 8;
// Nobody is asked at each key; and what a payment is known by has at least so many characters, with a digit or an @.
const PAUSE_MS = 250;
const KNOWN_BY = /^(?=.*[\d@]).{3,}$/;

const linksOf = (selector: string): Choice[] =>
  Array.from(document.querySelectorAll<HTMLAnchorElement>(selector), (link) => ({
    text: (link.dataset['name'] ?? link.textContent).trim().replaceAll(/\s+/g, ' '),
    href: link.href,
  }));

const choicesOfPage = (): Choice[] => [
  ...linksOf('.menu nav a'),
  ...linksOf('details.merchant li a'),
  ...linksOf('.account a.who'),
];

/** The one payment that a text finds. */
async function findOne(text: string, { payments = '', newest = '', one = '' }: DOMStringMap): Promise<Choice[]> {
  const answer = await fetch(`${newest}?q=${encodeURIComponent(text)}`);
  const { ids } = answer.ok ? ((await answer.json()) as { ids: string[] }) : { ids: [] };
  const [id] = ids;
  return ids.length === 1 ? [{ text: fillIn(one, { text }), href: `${payments}/${id}` }] : [];
}

function choicesFor(text: string, found: readonly Choice[], { payments = '', with: all = '' }: DOMStringMap): Choice[] {
  const wanted = text.trim().toLowerCase();
  const pages = choicesOfPage().filter((choice) => choice.text.toLowerCase().includes(wanted));
  if (wanted === '') return pages;
  const href = `${payments}?q=${encodeURIComponent(text.trim())}`;
  return [...pages, ...found, { text: fillIn(all, { text: text.trim() }), href }];
}

export function startPalette(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#palette');
  const field = dialog?.querySelector('input');
  const list = dialog?.querySelector('ul');
  if (!dialog || !field || !list) return;
  let chosen = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;

  const mark = (index: number): void => {
    const options = [...list.children];
    if (options.length === 0) return;
    chosen = (index + options.length) % options.length;
    for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === chosen));
    field.setAttribute('aria-activedescendant', options[chosen]?.id ?? '');
    options[chosen]?.scrollIntoView({ block: 'nearest' });
  };
  const show = (found: readonly Choice[] = []): void => {
    const options = choicesFor(field.value, found, dialog.dataset)
      .slice(-MOST_SHOWN)
      .map(({ text, href }, index) => {
        const option = document.createElement('li');
        Object.assign(option, { id: `palette-${index}`, role: 'option' });
        option.dataset['href'] = href;
        option.textContent = text;
        return option;
      });
    list.replaceChildren(...options);
    mark(0);
  };
  const go = (option: Element | null | undefined): void => {
    const href = option instanceof HTMLElement ? option.dataset['href'] : undefined;
    if (href !== undefined) location.assign(href);
  };
  const open = (): void => {
    field.value = '';
    show();
    dialog.showModal();
  };

  const look = async (): Promise<void> => {
    const text = field.value.trim();
    const found = await findOne(text, dialog.dataset);
    // What was typed meanwhile is looked for next; what was chosen meanwhile stays.
    if (found.length > 0 && text === field.value.trim() && chosen === 0) show(found);
  };

  field.addEventListener('input', () => {
    show();
    clearTimeout(pause);
    // Without an answer the list of payments is still offered.
    if (KNOWN_BY.test(field.value.trim())) pause = setTimeout(() => void look().catch(() => {}), PAUSE_MS);
  });
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) mark(chosen + step);
    else if (event.key === 'Enter') go(list.children[chosen]);
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', ({ target }) => go((target as Element).closest('li')));
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  document.querySelector('.search-button')?.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
}
