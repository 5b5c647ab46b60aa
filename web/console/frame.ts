// What moves around every page: the menu of a phone, and choices, which close like any menu.

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

export function startFrame(): void {
  startMenu();
  for (const choice of document.querySelectorAll<HTMLDetailsElement>('details.merchant, details.drop, details.confirm'))
    closeLikeMenu(choice);
}
