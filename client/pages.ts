// Lists that come in pages: the first page as a promise, and all items of all pages for a loop.
import type { PageRule, Pages } from './call.ts';

type Page = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, unknown>>;

/** What to ask for after a page; undefined: it was the last. */
function nextQuery(rule: PageRule, query: Query, page: Page, seen: number): Query | undefined {
  if (rule[0] === 'cursor') {
    const { cursor } = page;
    // The same cursor once more would go round in circles.
    return cursor === undefined || cursor === query[rule[2]] ? undefined : { ...query, [rule[2]]: cursor };
  }
  const isMore = rule[0] === 'more' ? page['more'] === true : seen < Number(page[rule[2]]);
  if (!isMore || (page[rule[1]] as unknown[]).length === 0) return undefined;
  if (rule[0] === 'more' && query['pageNumber'] === undefined) {
    const skip = Number(query['skip'] ?? 0) + (page[rule[1]] as unknown[]).length;
    return { ...query, skip: String(skip) };
  }
  return { ...query, pageNumber: String(Number(query['pageNumber'] ?? 0) + 1) };
}

export function pagesOf(
  rule: PageRule,
  query: Query,
  ask: (query: Query) => Promise<unknown>,
): Pages<unknown, unknown> {
  const first = ask(query) as Promise<Page>;
  async function* each(): AsyncGenerator {
    let [asked, page] = [query, await first];
    // Where the loop begins with a later page, those before count as seen.
    let seen = Number(query['pageNumber'] ?? 0) * Number(query['pageSize'] ?? 100);
    for (;;) {
      const items = page[rule[1]] as unknown[];
      yield* items;
      seen += items.length;
      const next = nextQuery(rule, asked, page, seen);
      if (next === undefined) return;
      [asked, page] = [next, (await ask(next)) as Page];
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: each });
}
