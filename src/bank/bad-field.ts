// Validation errors of the bank: the field, and what it must be. Values are not repeated.

export class BadField extends Error {
  override readonly name = 'BadField';
  readonly field: string;

  constructor(field: string, expected: string) {
    super(`${field} ${expected}.`);
    this.field = field;
  }
}

/** The value as an object with only known names, so that typos are not silently ignored. */
export function readObject(value: unknown, field: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadField(field, 'must be a JSON object');
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new BadField(unknown.slice(0, 64), `is not known; there is ${names.join(', ')}`);
  return value as Readonly<Record<string, unknown>>;
}

/** A whole number that JSON and JavaScript both hold exactly. */
export function readWhole(value: unknown, field: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most)
    throw new BadField(field, `must be a whole number from ${least} to ${most}`);
  return value as number;
}
