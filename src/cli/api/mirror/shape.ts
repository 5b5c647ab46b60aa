// Compares the shape of two responses: the same fields of the same types. Values such as ids, times and addresses differ by
// nature.

// A completely different response has hundreds.
const MOST_LISTED = 20;
const DEEPEST = 20;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function compare(hosted: unknown, ours: unknown, path: string, depth: number): string[] {
  const where = path || 'the body';
  const [theirKind, ourKind] = [kindOf(hosted), kindOf(ours)];
  if (ourKind === 'undefined' && theirKind === 'undefined') return [];
  if (ourKind === 'undefined') return [`${where} is only at the hosted service`];
  if (theirKind === 'undefined') return [`${where} is only at Kassa`];
  if (theirKind !== ourKind) return [`${where} is ${theirKind} at the hosted service, ${ourKind} at Kassa`];
  if (depth === DEEPEST) return [];
  if (Array.isArray(hosted) && Array.isArray(ours)) {
    if (hosted.length !== ours.length)
      return [`${where} has ${hosted.length} at the hosted service, ${ours.length} at Kassa`];
    return hosted.flatMap((value, index) => compare(value, ours[index], `${path}[${index}]`, depth + 1));
  }
  if (theirKind !== 'object' || hosted === null) return [];
  const [theirs, own] = [hosted as Record<string, unknown>, ours as Record<string, unknown>];
  const names = new Set([...Object.keys(theirs), ...Object.keys(own)]);
  return [...names].flatMap((name) => compare(theirs[name], own[name], path ? `${path}.${name}` : name, depth + 1));
}

/** The first few differences, one line each; empty if the shapes are the same. */
export const compareShapes = (hosted: unknown, ours: unknown): string[] =>
  compare(hosted, ours, '', 0).slice(0, MOST_LISTED);
