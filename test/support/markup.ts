// Reads a page of ours as strictly as no browser does: every tag closed in order, every attribute quoted, every sign
// that could be markup escaped. Good for pages that we render ourselves; no parser for the web.
import assert from 'node:assert/strict';

export type Element = { readonly name: string; readonly attributes: Readonly<Record<string, string>> };

const VOID = new Set(['meta', 'link', 'img', 'br', 'hr', 'input']);
const TOKEN = /<!doctype html>|<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z][a-z0-9-]*(?:="[^"<>]*")?)*)\s*(\/?)>|[^<>]+|[<>]/gi;
const ENTITY = /&(?!(?:amp|lt|gt|quot|#39);)/;

const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' } as const;

export const unescape = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity as keyof typeof ENTITIES]);

/** The elements of a page in their order; throws where it is malformed. */
export function elementsOf(page: string): Element[] {
  const open: string[] = [];
  const elements: Element[] = [];
  for (const [token, slash, name, attributes, end] of page.matchAll(TOKEN)) {
    assert.doesNotMatch(token, ENTITY, `a bare & in ${token.slice(0, 80)}`);
    if (name === undefined) {
      assert.ok(token !== '<' && token !== '>', `a bare ${token} inside of ${open.join(' ')}`);
      continue;
    }
    if (slash === '/') {
      assert.equal(name, open.pop(), `</${name}> closes nothing inside of ${open.join(' ')}`);
      continue;
    }
    const pairs = Array.from((attributes ?? '').matchAll(/([a-z][a-z0-9-]*)(?:="([^"]*)")?/gi), (match) => {
      return [match[1] as string, unescape(match[2] ?? '')] as const;
    });
    elements.push({ name, attributes: Object.fromEntries(pairs) });
    // Inside of a drawing every element may close itself.
    if (!VOID.has(name) && !(end === '/' && open.includes('svg'))) open.push(name);
  }
  assert.deepEqual(open, [], 'left open');
  return elements;
}

/** The fields that a form has hidden. */
export const hiddenIn = (page: string): Record<string, string> =>
  Object.fromEntries(
    elementsOf(page)
      .filter(({ name, attributes }) => name === 'input' && attributes['type'] === 'hidden')
      .map(({ attributes }) => [attributes['name'] ?? '', attributes['value'] ?? '']),
  );
