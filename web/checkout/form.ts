// The form as a whole: what of it is wrong and where that is said, and the body of the pay call made from it.
import { digitsOf, readExpiry } from '../shared/card.ts';
import { tidyPhoneNumber } from '../shared/contact.ts';
import { tidyPostalCode } from '../shared/postal-code.ts';
import { checkField, isChecked } from './check-field.ts';
import { countryOf, findField, isAsked, listFields, valueOf, type Field } from './fields.ts';
import { correctFormError, showFormError } from './notice.ts';
import { byId, pageData, say, sayError } from './page-data.ts';
import { focusWhenFree } from './pay-button.ts';

type Tree = { [part: string]: string | Tree };

export function showError(field: Field, text: string | undefined): void {
  const place = byId(`${field.id}-error`);
  if (text === undefined) field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
  if (place) {
    place.textContent = text ?? '';
    place.hidden = text === undefined;
  }
  recount();
}

const sayCount = (count: number): string =>
  count === 1 ? say('formHasError') : say('formHasErrors', { count: String(count) });

/** What is said beside the button of how many are wrong, once it was pressed. */
let said: string | undefined;

/** Puts the count right: what is corrected, or not asked for any more, is not counted. */
export function recount(): void {
  if (said === undefined) return;
  const left = listFields().filter((field) => isAsked(field) && field.hasAttribute('aria-invalid')).length;
  const text = left === 0 ? '' : sayCount(left);
  correctFormError(said, text);
  said = text;
}

/** While a field is corrected its error goes. */
export function clearError(field: Field): void {
  if (field.hasAttribute('aria-invalid')) showError(field, undefined);
}

function announceErrors(wrong: readonly Field[]): void {
  said = sayCount(wrong.length);
  showFormError(said);
  focusWhenFree(wrong[0]);
}

/** Checks everything that is asked for. The first field that is wrong gets the focus. */
export function checkForm(): boolean {
  said = undefined;
  const wrong = listFields().filter((field) => {
    const text = isChecked(field) && isAsked(field) ? checkField(field) : undefined;
    showError(field, text);
    return text !== undefined;
  });
  showFormError('');
  if (wrong.length > 0) announceErrors(wrong);
  return wrong.length === 0;
}

/** The service's errors by path, said at their fields. False when none of them is about a field of this page. */
export function showServiceErrors(paths: readonly string[], reason: unknown): boolean {
  const wrong = new Set<Field>();
  for (const path of paths) {
    const name = path.replace(/expiry(?:Month|Year)$/, 'expiry');
    const field = findField(name);
    if (!field || !isAsked(field)) continue;
    const isNoTestCard = reason === 'not_a_test_card' && name.endsWith('.cardNumber');
    showError(field, isNoTestCard ? sayError('notTestCard') : (checkField(field) ?? sayError('fieldInvalid')));
    wrong.add(field);
  }
  if (wrong.size > 0) announceErrors(listFields().filter((field) => wrong.has(field)));
  return wrong.size > 0;
}

function tidy(name: string, value: string): string {
  if (name.endsWith('.postalCode')) return tidyPostalCode(countryOf(name.replace(/\.postalCode$/, '')), value) ?? value;
  if (name.endsWith('.phoneNumber.number')) return tidyPhoneNumber(value, valueOf('consumer.phoneNumber.prefix'));
  return name.endsWith('.cardNumber') ? digitsOf(value) : value;
}

function put(tree: Tree, path: readonly string[], value: string): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) tree[first] = value;
  else put((tree[first] ??= {}) as Tree, rest, value);
}

type Body = Readonly<Record<string, unknown>>;

/** Who pays, and what they agree to: all but the way to pay, with its secrets. */
export function withoutSecrets({ consumer, amountConfirmedByConsumer, acceptedTermsAndConditions }: Body): Body {
  return { consumer, amountConfirmedByConsumer, acceptedTermsAndConditions };
}

/** The body of the pay call, from what is asked for and filled in. */
export function readBody(): Body {
  const type = valueOf('type') ?? 'card';
  const tree: Tree = { paymentType: { [type]: {} } };
  for (const field of listFields()) {
    const value = field.value.trim();
    if (!isChecked(field) || !isAsked(field) || field.disabled || value === '') continue;
    const path = field.name.split('.');
    const expiry = path.at(-1) === 'expiry' ? readExpiry(value) : undefined;
    if (expiry) {
      put(tree, [...path.slice(0, -1), 'expiryMonth'], String(expiry.month));
      put(tree, [...path.slice(0, -1), 'expiryYear'], String(expiry.year));
    } else put(tree, path, tidy(field.name, value));
  }
  const { amount, invoiceAmount, language } = pageData();
  const total = type === 'invoice' ? (invoiceAmount ?? amount) : amount;
  return { type, ...tree, amountConfirmedByConsumer: Number(total), acceptedTermsAndConditions: true, language };
}
