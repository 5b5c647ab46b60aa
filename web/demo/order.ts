// The buttons of the merchant's view. Each asks the shop's backend for one call of the API; what comes back is the page
// as it is then, of which the changed part takes the place of the old one.
import { isAtHome, post } from './backend-client.ts';

const notice = document.querySelector<HTMLElement>('#action-result');
const { paymentId = '' } = document.body.dataset;

/** 249, 249.5, 249,50 or 1,249.50 in minor units; undefined when it is no amount. */
function readAmount(text: string): number | undefined {
  const plain = text.replaceAll(/\s|,(?=\d{3}(?:[.,]|$))/g, '');
  const [, whole, cents = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(plain) ?? [];
  return whole === undefined ? undefined : Number(whole + cents.padEnd(2, '0'));
}

// Long enough to read it; what it says stands in the story as well.
const NOTICE_FOR_MS = 10_000;
let forgetting: ReturnType<typeof setTimeout> | undefined;

function say(sentence: string, isBad: boolean): void {
  if (notice === null) return;
  clearTimeout(forgetting);
  forgetting = setTimeout(() => notice.replaceChildren(), NOTICE_FOR_MS);
  notice.textContent = sentence;
  notice.classList.toggle('bad', isBad);
}

/** Times come in UTC and are shown as the visitor's own. */
function showTimes(): void {
  for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleTimeString();
}

function swap(text: string): void {
  const page = new DOMParser().parseFromString(text, 'text/html');
  const fresh = page.querySelector('#order');
  const focused = document.activeElement?.id ?? '';
  if (fresh === null) return;
  document.querySelector('#order')?.replaceWith(document.adoptNode(fresh));
  document.title = page.title;
  listen();
  const outcome = page.querySelector<HTMLElement>('#action-result');
  if (outcome?.textContent) say(outcome.textContent, outcome.classList.contains('bad'));
  // The button that was pressed may be gone; then what it came to takes the focus.
  const again = focused === '' ? null : document.querySelector<HTMLElement>(`#${focused}`);
  if (focused !== '') (again ?? notice)?.focus();
}

async function act(action: string, amount?: number, chargeId?: string): Promise<void> {
  const order = document.querySelector<HTMLElement>('#order');
  // A second press while the first is under way is no second request.
  if (order === null || order.ariaBusy === 'true') return;
  order.ariaBusy = 'true';
  try {
    const response = await post(`/orders/${paymentId}/${action}`, {
      once: order.dataset['once'],
      ...(amount !== undefined && { amount }),
      ...(chargeId !== undefined && { chargeId }),
    });
    swap(await response.text());
  } catch (error) {
    say((error as Error).message, true);
  } finally {
    order.ariaBusy = 'false';
  }
}

function submit(form: HTMLFormElement): void {
  const data = new FormData(form);
  const [typed, chargeId] = [data.get('amount'), data.get('chargeId')];
  const amount = typeof typed === 'string' ? readAmount(typed) : undefined;
  if (amount === undefined) {
    say('Write the amount as 249 or 249.50.', true);
    form.querySelector('input')?.focus();
    return;
  }
  void act(form.dataset['action'] ?? '', amount, typeof chargeId === 'string' ? chargeId : undefined);
}

function listen(): void {
  showTimes();
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-action]'))
    button.addEventListener('click', () => {
      const { action = '', amount, charge } = button.dataset;
      void act(action, amount === undefined ? undefined : Number(amount), charge);
    });
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-action]'))
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      submit(form);
    });
}

const newsOf = (page: Document): string =>
  `${page.querySelector('.figures')?.textContent} ${page.querySelector('h1')?.textContent} ${page.querySelectorAll('li').length}`;

/** The consumer may have paid in another tab meanwhile. */
async function readAgain(): Promise<void> {
  if (document.visibilityState !== 'visible' || document.activeElement instanceof HTMLInputElement) return;
  const response = await fetch(location.href).catch(() => undefined);
  if (!response?.ok) return;
  const text = await response.text();
  // Nothing new: what is unfolded stays unfolded.
  if (newsOf(new DOMParser().parseFromString(text, 'text/html')) !== newsOf(document)) swap(text);
}

if (isAtHome()) {
  listen();
  notice?.addEventListener('click', () => notice.replaceChildren());
  document.addEventListener('visibilitychange', () => void readAgain());
}
