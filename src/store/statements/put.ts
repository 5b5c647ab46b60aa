// Collects the parameters of a statement while its text is built; returns the placeholder of each.

export type Put = (value: string | number) => string;
/** A condition on `payment`, with its parameters. */
export type Condition = (put: Put) => string;

export function newStatement(): { readonly values: (string | number)[]; readonly put: Put } {
  const values: (string | number)[] = [];
  return { values, put: (value) => `$${values.push(value)}` };
}
