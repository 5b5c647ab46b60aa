// How much a payment holds: roughly the bytes of its JSON. Cheap enough to be asked on every change.

/** Of any plain data. Texts are counted in characters, numbers as eight. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 2;
  if (Array.isArray(value)) {
    for (const each of value) sum += weigh(each) + 1;
    return sum;
  }
  for (const name in value) sum += name.length + 4 + weigh((value as Record<string, unknown>)[name]);
  return sum;
}
