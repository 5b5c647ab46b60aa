// Shortens a text to one line, for tables and logs.

const SHOWN = 60;

export function shorten(text: string, most = SHOWN): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
