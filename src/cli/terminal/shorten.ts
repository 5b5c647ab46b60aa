// The beginning of a text, on one line: for tables and logs, where the whole would break the lines.

const SHOWN = 60;

export function shorten(text: string, most = SHOWN): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
