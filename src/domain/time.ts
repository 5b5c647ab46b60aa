// How a moment is written wherever it leaves the program: ISO 8601, UTC, milliseconds, Z.

const DAY_MS = 86_400_000;
// Beyond it there are no moments; its day has one.
const LAST_MS = 8_640_000_000_000_000;
const digits = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(length, '0'));
const OF_TWO = digits(60, 2);
const OF_THREE = digits(1_000, 3);

// The day that was written last: most moments of a request are of one day, and Date takes three times as long.
let day = Number.NaN;
let dayText = '';

export function isoTime(ms: number): string {
  const at = Math.trunc(ms);
  const dayOf = Math.floor(at / DAY_MS);
  if (dayOf !== day || at > LAST_MS) {
    const text = new Date(at).toISOString();
    day = dayOf;
    dayText = text.slice(0, -'00:00:00.000Z'.length);
    return text;
  }
  const inDay = at - day * DAY_MS;
  const seconds = Math.floor(inDay / 1_000);
  const minutes = Math.floor(seconds / 60);
  const time = `${OF_TWO[Math.floor(minutes / 60)]}:${OF_TWO[minutes % 60]}:${OF_TWO[seconds % 60]}`;
  return `${dayText}${time}.${OF_THREE[inDay % 1_000]}Z`;
}
