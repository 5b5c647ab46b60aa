// Whether two answers have the same shape: the same fields of the same kinds. What stands in them differs by nature: ids,
// times, addresses.

// An answer that is another altogether has hundreds.
const MOST_TOLD = 20;
const DEEPEST = 20;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function compare(hosted: unknown, ours: unknown, path: string, depth: number): string[] {
  const where = path || 'the body';
  const [theirKind, ourKind] = [kindOf(hosted), kindOf(ours)];
  if (ourKind === 'undefined' && theirKind === 'undefined') return [];
  if (ourKind === 'undefined') return [`${where} only at the hosted service`];
  if (theirKind === 'undefined') return [`${where} only at Kassa`];
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

/** Each difference as a line, the first few of them; none where they have the same shape. */
export const compareShapes = (hosted: unknown, ours: unknown): string[] =>
  compare(hosted, ours, '', 0).slice(0, MOST_TOLD);
