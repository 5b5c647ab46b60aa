// The script of the checkout's page. The page is complete without it, but for paying: it lives from the server's HTML and
// listens on the document, so that a page that was swapped for another needs nothing but what `start` does.
import { fillTestCard, formatCardField, startCardField } from './card-field.ts';
import { checkField, isChecked } from './check-field.ts';
import { findField, isAsked, isField, payForm, typeInto, type Field } from './fields.ts';
import { clearError, recount, showError } from './form.ts';
import { comesFromBank, forgetTyped, keepTyped, recallTyped } from './saved-form.ts';
import { announce, showFormError, showNotice } from './notice.ts';
import { byId, isEmbedded, isOpen, pageData, say } from './page-data.ts';
import { followCountry, showParts, startParts, tidyPrefix } from './form-parts.ts';
import { drawButton, isHeld, release } from './pay-button.ts';
import { during, goToBank, pay, returnToShop, showPaid } from './pay.ts';
import { askStanding, pauseOf } from './service.ts';
import { watchShippingCost } from './shipping-cost.ts';
import { startShop, tellAddress, tellOutcome } from './shop.ts';
import { changeLanguage, onDrawn, showItems, swapNotice, swapOrder, swapPage } from './replace-page.ts';

// Fields in which something was typed. One that was only passed by is not yet wrong.
const touched = new WeakSet<Field>();
let isPressed = false;

const fieldOf = ({ target }: Event): Field | undefined =>
  isField(target) && target.form === payForm() ? target : undefined;

function onInput(event: Event): void {
  const field = fieldOf(event);
  if (!field) return;
  formatCardField(event);
  touched.add(field);
  clearError(field);
  keepTyped();
}

function onChange(event: Event): void {
  if (event.target instanceof HTMLSelectElement && event.target.id === 'language') {
    void chooseLanguage(event.target);
    return;
  }
  const field = fieldOf(event);
  if (!field) return;
  tidyPrefix(field);
  if (field.name.endsWith('.country')) {
    followCountry();
    recheck(findField(field.name.replace(/country$/, 'postalCode')));
  }
  showParts();
  recount();
  keepTyped();
  tellAddress();
}

/** What was right for one country may be wrong for another, and the other way round. */
function recheck(field: Field | undefined): void {
  if (field?.value && touched.has(field)) showError(field, checkField(field));
}

async function chooseLanguage(choice: HTMLSelectElement): Promise<void> {
  if (await changeLanguage(choice.value)) return;
  choice.value = pageData()['language'] ?? '';
  showFormError(say('connectionLost'));
}

/** Says what is wrong when a field is left; not while a press is under way, which would move the button from under it. */
function onLeave(event: Event): void {
  const field = fieldOf(event);
  if (!field || !touched.has(field) || !isChecked(field)) return;
  const check = (): void => {
    if (field.isConnected && isAsked(field) && document.activeElement !== field) showError(field, checkField(field));
  };
  if (isPressed) document.addEventListener('pointerup', () => setTimeout(check), { once: true });
  else check();
}

function onClick(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  const number = event.target.closest<HTMLElement>('.test-card')?.dataset['number'];
  if (number) {
    const card = document.querySelector<HTMLInputElement>('input[name="type"][value="card"]');
    if (card && !card.checked) {
      card.checked = true;
      typeInto(card, card.value);
    }
    fillTestCard(number);
  }
  const items = event.target.closest('#order .parts a');
  if (items instanceof HTMLAnchorElement) {
    event.preventDefault();
    void showItems(items);
  }
  const onward = event.target.closest('#notice a');
  if (onward instanceof HTMLAnchorElement && !isHeld()) {
    event.preventDefault();
    void during(() => goToBank(onward.href, pageData()['app']?.toLowerCase()));
  }
}

/** Looks whether the payment was paid, closed or changed elsewhere: in another tab, or by the shop. */
async function look(): Promise<void> {
  if (!isOpen() || isHeld('paying')) return;
  const standing = await askStanding();
  if (!standing || !isOpen() || isHeld('paying')) return;
  if (standing.state === 'paid') await showPaid();
  else if (standing.state !== 'open') await swapPage();
  else if (String(standing.amount) !== pageData()['amount']) await swapOrder();
  else if (isConfirming() !== standing.confirming) {
    await swapNotice();
    void waitOnce();
  }
}

/** The bank, or an app, waits for the consumer, who may answer on another device. */
const isConfirming = (): boolean => isOpen() && pageData()['challengeUrl'] !== undefined;

async function waitForAnswer(): Promise<void> {
  for (let round = 0; isConfirming(); round++) {
    await pauseOf(round);
    await look();
  }
}

async function waitWhilePending(): Promise<void> {
  for (let round = 0; pageData()['state'] === 'pending'; round++) {
    await pauseOf(round);
    const standing = await askStanding();
    if (standing?.state === 'paid') await showPaid();
    else if (standing && standing.state !== 'pending') await swapPage();
  }
}

/** These links lead to the shop's pages, which are around the frame and not in it. */

/** What a page needs that was just drawn, whether it was loaded or swapped in. */
function start(): void {
  const { state } = pageData();
  drawButton();
  watchShippingCost();
  if (isEmbedded()) byId('return')?.setAttribute('target', '_top');
  if (state === 'open') {
    recallTyped();
    startParts();
    startCardField();
    tellAddress();
    void waitOnce();
    return;
  }
  if (state !== 'pending') forgetTyped();
  else void waitOnce();
  tellOutcome();
}

let isWaiting = false;
async function waitOnce(): Promise<void> {
  if (isWaiting) return;
  isWaiting = true;
  await waitForAnswer();
  await waitWhilePending();
  isWaiting = false;
}

function listen(): void {
  document.addEventListener('input', onInput);
  document.addEventListener('change', onChange);
  document.addEventListener('focusout', onLeave);
  document.addEventListener('click', onClick);
  document.addEventListener('pointerdown', () => (isPressed = true), true);
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => (isPressed = false), true);
  document.addEventListener('submit', (event) => {
    if (event.target !== payForm()) return;
    event.preventDefault();
    void pay();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void look();
  });
  // A page that the browser had kept as it was: since then the payment may have become anything.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    release('paying');
    void swapPage();
  });
}

announce('');
listen();
onDrawn(start, watchShippingCost);
startShop();
const isBack = comesFromBank();
start();
if (isBack && pageData()['state'] === 'paid') returnToShop();
if (isBack && byId('notice')?.hidden) showNotice(say('challengeLeft'));
