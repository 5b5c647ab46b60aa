// The card's number, expiry and security code while they are typed: grouped, with the caret where the consumer left it,
// cut to what a card can have, and with the brand shown. None of it goes anywhere but into the fields themselves.
import { BRAND_NAMES, brandOf, digitsOf, formatExpiry, groupDigits, longestOf } from '../shared/card.ts';
import { findField, typeInto } from './fields.ts';
import { announce } from './notice.ts';
import { say } from './page-data.ts';

export const CARD_NUMBER = 'paymentType.card.cardNumber';
export const EXPIRY = 'paymentType.card.expiry';
export const CVC = 'paymentType.card.cardVerificationCode';

// What stood in the field before, to tell a deletion from typing.
const before = new WeakMap<HTMLInputElement, string>();

const caretOf = (field: HTMLInputElement): number => field.selectionStart ?? field.value.length;

/** Puts the caret behind as many digits as before; at the end of what is typed it stays at the end. */
function write(field: HTMLInputElement, text: string, digitsBefore: number, isAtEnd: boolean): void {
  if (field.value !== text) field.value = text;
  if (document.activeElement !== field) return;
  const behind = digitsBefore === 0 ? 0 : [...text.matchAll(/\d/g)][digitsBefore - 1]?.index;
  const caret = isAtEnd || behind === undefined ? text.length : behind + Math.min(digitsBefore, 1);
  field.setSelectionRange(caret, caret);
}

function formatNumber(field: HTMLInputElement, event: Event): void {
  const isAtEnd = caretOf(field) === field.value.length;
  let head = digitsOf(field.value.slice(0, caretOf(field)));
  let tail = digitsOf(field.value.slice(caretOf(field)));
  // Only a space was deleted: the digit beside it was meant.
  if (event instanceof InputEvent && head + tail === digitsOf(before.get(field) ?? '')) {
    if (event.inputType === 'deleteContentBackward') head = head.slice(0, -1);
    if (event.inputType === 'deleteContentForward') tail = tail.slice(1);
  }
  const digits = (head + tail).slice(0, longestOf(head + tail));
  write(field, groupDigits(digits), head.length, isAtEnd);
  showBrand(digits);
}

function showBrand(digits: string): void {
  const mark = document.querySelector<HTMLElement>('[data-brand]');
  const brand = brandOf(digits) ?? '';
  if (!mark || mark.dataset['brand'] === brand) return;
  mark.dataset['brand'] = brand;
  const name = mark.querySelector('.brand-name');
  const called = BRAND_NAMES[brand] ?? brand;
  // A brand that has a mark is shown by it alone.
  const isDrawn = brand !== '' && mark.querySelector(`.mark-${brand}`) !== null;
  if (name) name.textContent = isDrawn ? '' : called;
  if (brand) announce(say('brandRecognised', { brand: called }));
}

function formatDate(field: HTMLInputElement): void {
  const isAtEnd = caretOf(field) === field.value.length;
  const digits = digitsOf(field.value.slice(0, caretOf(field))).length;
  write(field, formatExpiry(field.value, before.get(field)), digits, isAtEnd);
}

function formatCode(field: HTMLInputElement): void {
  const isAtEnd = caretOf(field) === field.value.length;
  const brand = brandOf(digitsOf(findField(CARD_NUMBER)?.value ?? ''));
  const digits = digitsOf(field.value).slice(0, brand === undefined || brand === 'amex' ? 4 : 3);
  write(field, digits, digitsOf(field.value.slice(0, caretOf(field))).length, isAtEnd);
}

/** To be called for each input event of the form. */
export function formatCardField(event: Event): void {
  const field = event.target;
  // While a keyboard composes a character, its text must not be changed under it.
  if (!(field instanceof HTMLInputElement) || (event instanceof InputEvent && event.isComposing)) return;
  if (field.name === CARD_NUMBER) formatNumber(field, event);
  else if (field.name === EXPIRY) formatDate(field);
  else if (field.name === CVC) formatCode(field);
  else return;
  before.set(field, field.value);
}

/** For a page that was just drawn. The script limits the digits; a limit of characters would cut a paste with spaces. */
export function startCardField(): void {
  for (const name of [CARD_NUMBER, EXPIRY, CVC]) {
    const field = findField(name);
    field?.removeAttribute('maxlength');
    if (field?.value) field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** A test card of the list: the number, and an expiry and code that every test card takes. */
export function fillTestCard(number: string): void {
  for (const [name, value] of [
    [CARD_NUMBER, number],
    [EXPIRY, '12/30'],
    [CVC, '123'],
  ] as const) {
    const field = findField(name);
    if (field) typeInto(field, value);
  }
  announce(say('testCardFilledIn'));
}

/** After a decline: another card may be tried, so this one is taken away, or only what is to be typed again. */
export function emptyCard(names: readonly string[] = [CARD_NUMBER, CVC]): void {
  for (const name of names) {
    const field = findField(name);
    if (field?.value) typeInto(field, '');
  }
}
