// The minimum speed of a browser that downloads an export, since it holds a slot: each chunk within some seconds. The
// time of the database does not count.

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
