// What a request gives: shops send empty texts for what nobody filled in, and those are the same as nothing.

/** Leaves out what was not given, or given empty; undefined when nothing is left. */
export function given<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } | undefined {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined && field !== '');
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as never);
}
