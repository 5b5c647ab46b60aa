// Redirects GET requests for form addresses, for example from the browser history, to the page of the form.
import type { FastifyInstance } from 'fastify';

type Form = { readonly pattern: RegExp; readonly parts: number };

/** To be called before the routes are made: gives the path of the page above the address of a form. */
export function watchForms(app: FastifyInstance): (path: string) => string | undefined {
  const [pages, forms] = [new Set<string>(), new Set<string>()];
  app.addHook('onRoute', ({ url, method }) => {
    if (method === 'GET') pages.add(url);
    if (method === 'POST' && !url.startsWith('/console/api/')) forms.add(url);
  });
  const pageAbove = (url: string): string => (pages.has(url) ? url : pageAbove(url.slice(0, url.lastIndexOf('/'))));
  let known: readonly Form[] | undefined;
  return (path) => {
    known ??= [...forms].map((url) => ({
      pattern: new RegExp(`^${url.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '[^/]+')}$`),
      parts: pageAbove(url).split('/').length,
    }));
    const form = known.find(({ pattern }) => pattern.test(path));
    return form && path.split('/').slice(0, form.parts).join('/');
  };
}
