// Puts values into the braces of a text. It stands alone because texts are filled in by pages, tests and documents.

/** 'Pay {amount}' with { amount: '150,00 kr' } is 'Pay 150,00 kr'. What has no value stays as it is. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
