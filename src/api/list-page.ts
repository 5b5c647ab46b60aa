// The text of a page. It ends by bytes as well as by count, and is made in pieces between which others get their turn.
import { setImmediate as othersTurn } from 'node:timers/promises';

/** A page ends when it is this large; hundreds of ordinary items fit, and one always does. */
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

/** Of texts that are made one after the other, as many as fit on a page. */
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
  // It is put together and sent at once.
  if (bytes >= PIECE_BYTES) await othersTurn();
  return page;
}

/** `{"events":[…],"cursor":"…"}`, without a cursor on the last page. */
export const pageText = (name: string, texts: readonly string[], cursor: string | undefined): string =>
  `{"${name}":[${texts.join()}]${cursor === undefined ? '' : `,"cursor":${JSON.stringify(cursor)}`}}`;
