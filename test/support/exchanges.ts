// The last requests and answers of a test, and the end of the log of the Kassa that it asked: what a failure shows first.

const MOST_EXCHANGES = 4;
const MOST_LINES = 15;
const MOST_CHARACTERS = 1_500;

const exchanges: string[] = [];
const logLines: string[] = [];

function keep(list: string[], entry: string, most: number): void {
  list.push(entry.length > MOST_CHARACTERS ? `${entry.slice(0, MOST_CHARACTERS)} …` : entry);
  if (list.length > most) list.shift();
}

export const noteExchange = (request: string, answer: string): void =>
  keep(exchanges, `→ ${request}\n← ${answer}`, MOST_EXCHANGES);

export const noteLogLine = (line: string): void => keep(logLines, line.trimEnd(), MOST_LINES);

export function describeExchanges(): string {
  const parts: string[] = [];
  if (exchanges.length > 0) parts.push(`The last requests and answers:\n${exchanges.join('\n')}`);
  if (logLines.length > 0) parts.push(`The end of Kassa's log:\n${logLines.join('\n')}`);
  return parts.join('\n\n');
}

/** Before another file: what it did not ask for says nothing about it. */
export function forgetExchanges(): void {
  exchanges.length = 0;
  logLines.length = 0;
}
