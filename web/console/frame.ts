// What moves around every page: the menu of a phone, choices, which close like any menu, what is saved once it is changed,
// and forms, which are sent once.

function startMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu-button');
  const menu = document.querySelector('#menu');
  if (!button || !menu) return;
  const show = (open: boolean): void => {
    button.setAttribute('aria-expanded', String(open));
    menu.classList.toggle('open', open);
  };
  const isOpen = (): boolean => menu.classList.contains('open');
  button.addEventListener('click', () => show(!isOpen()));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen()) return;
    show(false);
    button.focus();
  });
}

function closeLikeMenu(choice: HTMLDetailsElement): void {
  const close = (): void => choice.removeAttribute('open');
  document.addEventListener('click', ({ target }) => {
    if (!choice.contains(target as Node)) close();
  });
  // A form that is sent may only download something: the page stays.
  choice.addEventListener('submit', close);
  choice.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !choice.open) return;
    close();
    choice.querySelector('summary')?.focus();
  });
}

/** The button of a form with one choice shows once something else is chosen. */
function saveWhenChanged(form: HTMLFormElement): void {
  const [choice, button] = [form.querySelector('select'), form.querySelector('button')];
  if (!choice || !button) return;
  // A browser may bring back what was chosen before a reload.
  const saved = [...choice.options].find(({ defaultSelected }) => defaultSelected)?.value;
  const show = (): void => void (button.hidden = choice.value === saved);
  choice.addEventListener('change', show);
  show();
}

const SENT_MS = 5_000;

/** A form that is on its way is not sent a second time by a double click. */
function sendOnce(): void {
  const sent = new WeakMap<HTMLFormElement, number>();
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.method !== 'post') return;
    if (performance.now() - (sent.get(form) ?? -SENT_MS) < SENT_MS) event.preventDefault();
    else sent.set(form, performance.now());
  });
  // The form can be sent again after returning to the page.
  addEventListener('pageshow', () => document.querySelectorAll('form').forEach((form) => sent.delete(form)));
}

export function startFrame(): void {
  startMenu();
  sendOnce();
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-save]')) saveWhenChanged(form);
  for (const choice of document.querySelectorAll<HTMLDetailsElement>('details.merchant, details.drop, details.confirm'))
    closeLikeMenu(choice);
}
