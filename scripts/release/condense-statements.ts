// What was recorded of a Kassa's statements, made small: each text once, and of what only reads the first time alone.
type Recorded = {
  readonly number: number;
  readonly client?: number;
  readonly text?: string;
  readonly values?: unknown[];
  readonly rows?: number | null;
  readonly failed?: boolean;
};

// Whatever changes something, and what holds a change together. To end another session is nothing to be done again.
const WRITES = /\b(?:insert|update|delete|truncate|lock|begin|commit|rollback|notify)\b/i;
const LEFT_OUT = /pg_terminate_backend|pg_cancel_backend/;

/** Lines with a text, numbered from 0, and lines with who sent which text with which values, and how many rows it met. */
export function condense(recorded: string): string {
  const lines = recorded
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded);
  const outcomes = new Map(lines.filter(({ text }) => text === undefined).map((line) => [line.number, line]));
  const texts: string[] = [];
  const kept: string[] = [];
  for (const { number, client, text, values } of lines) {
    if (text === undefined || LEFT_OUT.test(text)) continue;
    const { rows = null, failed = false } = outcomes.get(number) ?? {};
    const isNew = !texts.includes(text);
    if (failed || (!isNew && !WRITES.test(text))) continue;
    if (isNew) {
      texts.push(text);
      kept.push(JSON.stringify({ text }));
    }
    kept.push(JSON.stringify({ client, statement: texts.indexOf(text), rows, ...(values && { values }) }));
  }
  return `${kept.join('\n')}\n`;
}
