// Changes one field of a request, by the path with which an errors object names it: order.items[0].name.

type Tree = { [name: string]: Tree };

/** A copy with the field set; undefined leaves the field out. */
export function withField(value: object, path: string, field: unknown): object {
  const copy = structuredClone(value) as Tree;
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  const last = steps.pop() as string;
  const parent = steps.reduce((node, step) => (node[step] ??= {}), copy);
  if (field === undefined) delete parent[last];
  else parent[last] = field as Tree;
  return copy;
}
