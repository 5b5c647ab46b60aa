// Puts values into the braces of a text, and chooses the form of a text that a number asks for. Pages, scripts, tests and
// documents share it.

/** 'Pay {amount}' with { amount: '150,00 kr' } is 'Pay 150,00 kr'. What has no value stays as it is. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A text by the forms that a language has for numbers: one day, two days. */
export type Forms = { readonly other: string } & { readonly [form in Intl.LDMLPluralRule]?: string };

// Making rules takes longer than using them a thousand times, and there are as many as languages.
const kept = new Map<string, Intl.PluralRules>();

/** The plural form for a number; the caller fills in the values. */
export function formFor(forms: Forms, count: number, locale: string): string {
  const rules = kept.get(locale) ?? new Intl.PluralRules(locale);
  kept.set(locale, rules);
  return forms[rules.select(count)] ?? forms.other;
}
