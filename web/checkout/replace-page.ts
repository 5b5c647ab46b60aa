// Gets the page anew and puts it in the place of the old one, for another language, another state of the payment or
// another cart, so that every view is drawn in one place: by the server. What was typed is carried over, except the
// card's number and security code.
import { CARD_NUMBER, CVC } from './card-field.ts';
import { readTyped, writeTyped } from './fields.ts';
import { announce } from './notice.ts';
import { byId, pageData, say } from './page-data.ts';
import { relabelButton } from './pay-button.ts';

const isCarried = (name: string): boolean => name !== CARD_NUMBER && name !== CVC;

let onPage = (): void => undefined;
let onOrder = (): void => undefined;
/** Tells what is to be done with a page, and with an order, that was just put in. */
export function onDrawn(page: () => void, order: () => void): void {
  onPage = page;
  onOrder = order;
}

function addressIn(language: string): string {
  const address = new URL(location.href);
  address.hash = '';
  if (language) address.searchParams.set('language', language);
  return address.href;
}

async function fetchPage(language = ''): Promise<Document | undefined> {
  try {
    const response = await fetch(addressIn(language), { cache: 'no-store', headers: { Accept: 'text/html' } });
    // A service in trouble says so on a page of its own; this one, with all that was typed, is better.
    if (response.status >= 500) return undefined;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    return page.getElementById('main') && page.body.dataset['state'] ? page : undefined;
  } catch {
    return undefined;
  }
}

function copyData(page: Document): void {
  const { dataset } = document.body;
  for (const name of Object.keys(dataset)) if (!(name in page.body.dataset)) delete dataset[name];
  Object.assign(dataset, page.body.dataset);
}

function replace(page: Document, selector: string): void {
  const old = document.querySelector(selector);
  const found = page.querySelector(selector);
  const fresh = found && document.importNode(found, true);
  // What the consumer has unfolded stays so.
  const unfolded = [...(old?.querySelectorAll('details') ?? [])].map(({ open }) => open);
  for (const [index, fold] of (fresh?.querySelectorAll('details') ?? []).entries())
    fold.open = unfolded[index] ?? false;
  if (!fresh) old?.remove();
  else if (old) old.replaceWith(fresh);
  else document.body.append(fresh);
}

let last: Promise<unknown> = Promise.resolve();
/** One swap after the other: what is asked for last is what stays. */
function inTurn(swap: () => Promise<boolean>): Promise<boolean> {
  const turn = last.then(swap, swap);
  last = turn;
  return turn;
}

/** The whole page. False when there was no answer; then all stays as it is. */
export const swapPage = (): Promise<boolean> => inTurn(() => drawPage());

async function drawPage(language = pageData()['language']): Promise<boolean> {
  const page = await fetchPage(language);
  if (!page) return false;
  const typed = readTyped(isCarried);
  const focused = document.activeElement?.id;
  const isAnother = page.body.dataset['state'] !== pageData()['state'];
  copyData(page);
  document.documentElement.lang = page.documentElement.lang;
  document.title = page.title;
  for (const part of ['#texts', '#apps', '#test-cards', 'body > header', '#main', 'body > footer']) replace(page, part);
  writeTyped(typed);
  // Another state is another page: its heading is read first. Otherwise the consumer stays where they were.
  if (isAnother) document.querySelector<HTMLElement>('#main h1[tabindex]')?.focus();
  else if (focused) byId(focused)?.focus({ preventScroll: true });
  onPage();
  return true;
}

/** In another language; a reload of the page then stays in it. */
export async function changeLanguage(language: string): Promise<boolean> {
  const isChanged = await inTurn(() => drawPage(language));
  if (isChanged) history.replaceState(history.state, '', addressIn(language));
  return isChanged;
}

/** The order alone, after the shop changed the cart: nothing that the consumer is typing is touched. */
export const swapOrder = (): Promise<boolean> => inTurn(drawOrder);

/** Another part of a long order; without an answer the link leads there as any does. */
export async function showItems({ href, dataset }: HTMLAnchorElement): Promise<void> {
  const address = new URL(location.href);
  address.searchParams.set('items', dataset['items'] ?? '1');
  history.replaceState(history.state, '', address.href);
  if (await swapOrder()) byId('order')?.querySelector<HTMLElement>('.items')?.focus();
  else location.assign(href);
}

/** The word on the last try alone, once it was answered elsewhere: nothing that is typed meanwhile is touched. */
export const swapNotice = (): Promise<boolean> => inTurn(drawNotice);

async function drawNotice(): Promise<boolean> {
  const page = await fetchPage(pageData()['language']);
  if (!page) return false;
  if (page.body.dataset['state'] !== pageData()['state']) return drawPage();
  copyData(page);
  replace(page, '#notice');
  return true;
}

async function drawOrder(): Promise<boolean> {
  const page = await fetchPage(pageData()['language']);
  if (!page) return false;
  if (page.body.dataset['state'] !== pageData()['state']) return drawPage();
  const { amount } = pageData();
  copyData(page);
  replace(page, '#order');
  relabelButton(page.getElementById('pay'));
  onOrder();
  if (amount !== pageData()['amount']) announce(say('newTotal', { amount: shownTotal() }));
  return true;
}

/** As the server spelled it; with the fee of an invoice it is there twice, and one of them is not shown. */
const shownTotal = (): string => document.querySelector<HTMLElement>('#order .total dd')?.innerText.trim() ?? '';
