// The JSON of a page. It is bounded by bytes as well as by count, and made in pieces so that other requests can run.
import { setImmediate as othersTurn } from 'node:timers/promises';

/** The largest size of a page; hundreds of ordinary items fit, and at least one is always sent. */
const PAGE_BYTES = 1_048_576;
// About a millisecond of work.
const PIECE_BYTES = 65_536;

/** The texts of all items. */
export async function textsOf<Item>(items: Iterable<Item>, present: (item: Item) => string): Promise<string[]> {
  const texts: string[] = [];
  let piece = 0;
  for (const item of items) {
    const text = present(item);
    texts.push(text);
    piece += text.length;
    if (piece < PIECE_BYTES) continue;
    piece = 0;
    await othersTurn();
  }
  return texts;
}

/** As many of the texts as fit on a page, made one after another. */
export async function fillPage(texts: AsyncIterable<string>): Promise<string[]> {
  const page: string[] = [];
  let [bytes, piece] = [0, 0];
  for await (const text of texts) {
    page.push(text);
    bytes += text.length;
    if (bytes >= PAGE_BYTES) break;
    piece += text.length;
    if (piece < PIECE_BYTES) continue;
    piece = 0;
    await othersTurn();
  }
  // Joined and sent at once.
  if (bytes >= PIECE_BYTES) await othersTurn();
  return page;
}

/** `{"events":[…],"cursor":"…"}`, without a cursor on the last page. */
export const pageText = (name: string, texts: readonly string[], cursor: string | undefined): string =>
  `{"${name}":[${texts.join()}]${cursor === undefined ? '' : `,"cursor":${JSON.stringify(cursor)}`}}`;
