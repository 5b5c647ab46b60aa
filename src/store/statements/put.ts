// A statement while it is put together: each value is given its place, and whoever writes the text names that.

export type Put = (value: string | number) => string;
/** A condition on `payment`, with values that it puts. */
export type Condition = (put: Put) => string;

export function newStatement(): { readonly values: (string | number)[]; readonly put: Put } {
  const values: (string | number)[] = [];
  return { values, put: (value) => `$${values.push(value)}` };
}
