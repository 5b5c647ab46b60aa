// The appearance options of a shop, read from the free-form data of the payment.
import type { CheckoutView } from '../view.ts';

function optionOf(view: CheckoutView, group: string, name: string): unknown {
  const options = view.payment.checkout.appearance?.[group];
  if (typeof options !== 'object' || options === null) return undefined;
  return new Map<string, unknown>(Object.entries(options)).get(name);
}

export function displayOption(view: CheckoutView, name: string): boolean | undefined {
  const option = optionOf(view, 'displayOptions', name);
  return typeof option === 'boolean' ? option : undefined;
}

export function textOption(view: CheckoutView, name: string): string | undefined {
  const option = optionOf(view, 'textOptions', name);
  return typeof option === 'string' ? option : undefined;
}
