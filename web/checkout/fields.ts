// The fields of the form by their names, which are their paths in the body of the pay call.
import { pageData } from './page-data.ts';

export type Field = HTMLInputElement | HTMLSelectElement;
/** What stands in the form: texts, and for a tick whether it is set. */
export type Typed = Readonly<Record<string, string | boolean>>;

export const payForm = (): HTMLFormElement | null => document.querySelector<HTMLFormElement>('form#pay-form');

export const isField = (element: unknown): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement;

export const listFields = (): Field[] => [...(payForm()?.elements ?? [])].filter(isField);

/** The field of that name, or of several choices the one that is made. */
export function findField(name: string): Field | undefined {
  const named = listFields().filter((field) => field.name === name);
  return named.find((field) => field instanceof HTMLInputElement && field.checked) ?? named[0];
}

/** What is typed or chosen there; undefined when the page does not ask. */
export const valueOf = (name: string): string | undefined => findField(name)?.value.trim();

export const isTicked = (field: Field | undefined): boolean => field instanceof HTMLInputElement && field.checked;

/** Whether a field is asked for now. */
export const isAsked = (field: Field): boolean => field.closest('[hidden]') === null;

/** The country that counts for an address field: of the same address. */
export const countryOf = (address: string): string => valueOf(`${address}.country`) ?? '';

/** The address on the invoice: the billing address when it is another. */
export function billingCountry(): string {
  const other = isTicked(findField('separateBilling'));
  return countryOf(other ? 'consumer.billingAddress' : 'consumer.shippingAddress') || (pageData()['country'] ?? '');
}

/** Sets a value as if it had been typed, so that listeners of the field are notified. */
export function typeInto(field: Field, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

const isOfType = (field: Field, type: 'checkbox' | 'radio' | 'hidden'): field is HTMLInputElement =>
  field instanceof HTMLInputElement && field.type === type;

// A tick that is for the page alone has no name in the body of the call.
const nameOf = (field: Field): string => field.name || field.id;

export function readTyped(isTaken: (name: string) => boolean): Typed {
  const typed: Record<string, string | boolean> = {};
  for (const field of listFields()) {
    const name = nameOf(field);
    if (!isTaken(name) || isOfType(field, 'hidden')) continue;
    if (isOfType(field, 'checkbox')) typed[name] = field.checked;
    else if (!isOfType(field, 'radio') || field.checked) typed[name] = field.value;
  }
  return typed;
}

// A field that somebody has begun to fill in, maybe before the script arrived, is left as it is.
function isUntouched(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const standard = [...field.options].find((option) => option.defaultSelected) ?? field.options[0];
    return field.value === (standard?.value ?? '');
  }
  const isTick = field.type === 'checkbox' || field.type === 'radio';
  if (isTick) return field.checked === field.defaultChecked;
  return field.value === field.defaultValue || field.value === '';
}

const isOffered = (field: Field, value: string): boolean =>
  field instanceof HTMLInputElement || [...field.options].some((option) => option.value === value);

export function writeTyped(typed: Typed): void {
  // Of choices all are looked at before one is made, since making one changes the others.
  for (const field of listFields().filter(isUntouched)) {
    const value = typed[nameOf(field)];
    if (isOfType(field, 'checkbox')) field.checked = typeof value === 'boolean' ? value : field.checked;
    else if (isOfType(field, 'radio')) field.checked ||= field.value === value;
    else if (typeof value === 'string' && !isOfType(field, 'hidden') && isOffered(field, value)) field.value = value;
  }
}
