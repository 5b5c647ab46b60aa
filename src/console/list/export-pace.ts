// How slowly a browser may take an export, which keeps a slot meanwhile: each piece within some seconds, however few bytes
// it reads at a time. What the database takes to find the next piece does not count.

/** For a page of rows: some kilobytes a second. */
export const LONGEST_PAUSE_MS = 30_000;

/** The same pieces; `end` is called when one is not taken in time, the last one out of the buffers included. */
export async function* paced(pieces: AsyncGenerator<string>, end: () => void): AsyncGenerator<string> {
  const wait = (): NodeJS.Timeout => setTimeout(end, LONGEST_PAUSE_MS).unref();
  for await (const piece of pieces) {
    const timer = wait();
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
  }
  // Nothing happens by it to who has taken all.
  wait();
}
