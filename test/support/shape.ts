// The structure of a JSON value: names and types without the values, for comparing an answer with a recorded one.

export type Shape = string | readonly Shape[] | { readonly [name: string]: Shape };

export function shapeOf(value: unknown): Shape {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}
