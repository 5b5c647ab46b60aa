// Goal: the console and the demo shop are paced by address, and whoever is refused there is answered in a form of their
// own: people by a page, scripts by a message. Method: the routes without a database, asked more often than an address may.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { routeConsole } from '../../src/console/routes.ts';
import { consoleTexts } from '../../src/console/texts.ts';
import { routeDemo, routeNoDemo } from '../../src/demo/routes.ts';
import { PagePace } from '../../src/server/page-pace.ts';
import { buildBareApp } from '../support/bare-app.ts';
import { contextWithoutDatabase } from '../support/console-routes.ts';

// An address may ask 100 times at once, and as often again in each second that this takes.
const OFTEN = 500;
const HOME = 'http://localhost';
const PERSON = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'sv' };

const OTHERS = {
  console: (pages: FastifyInstance, pace: PagePace) => routeConsole(pages, contextWithoutDatabase(pace)),
  demo: (pages: FastifyInstance, pace: PagePace) => {
    const sandbox = { merchantId: 1, secretKey: '', checkoutKey: '' };
    routeDemo(pages, { sandbox, apiUrl: () => HOME, publicUrl: () => HOME, eventsOf: async () => [], pace });
  },
  'no demo': (pages: FastifyInstance, pace: PagePace) => routeNoDemo(pages, 'switched_off', pace),
} as const;

async function open(t: TestContext, name: keyof typeof OTHERS): Promise<FastifyInstance> {
  const pace = new PagePace({ live: 1, test: 1 }, { waiting: 0, waitMs: 1 });
  const app = await buildBareApp(HOME, async (others) => {
    await others.register(async (pages) => OTHERS[name](pages, pace));
  });
  t.after(() => app.close());
  return app;
}

/** The first answer with 429, of so many requests at once from one address. */
async function askOften(app: FastifyInstance, url: string, headers: Record<string, string>) {
  const ask = (remoteAddress: string) => app.inject({ url, headers, remoteAddress });
  // The first one waits for scripts and styles to be bundled.
  await ask('203.0.113.9');
  const answers = await Promise.all(Array.from({ length: OFTEN }, () => ask('203.0.113.7')));
  const refused = answers.find(({ statusCode }) => statusCode === 429);
  assert.ok(refused, 'one is refused');
  assert.match(String(refused.headers['retry-after']), /^[1-9]\d?$/);
  assert.notEqual((await ask('203.0.113.8')).statusCode, 429, 'another address is not');
  return refused;
}

test('who asks the console too often reads so on a page, in their language', async (t) => {
  const { payload, headers } = await askOften(await open(t, 'console'), '/console', PERSON);
  const { tooMany, tooManyText } = consoleTexts('sv').frame;
  assert.match(String(headers['content-type']), /^text\/html/);
  assert.ok(payload.includes(`<title>${tooMany}`) && payload.includes(tooManyText), payload);
});

test('a script is answered as by the API', async (t) => {
  const { payload } = await askOften(await open(t, 'console'), '/console', { accept: 'application/json' });
  assert.match((JSON.parse(payload) as { message: string }).message, /^Too many pages were asked for at once/);
});

for (const name of ['demo', 'no demo'] as const)
  test(`the shop is paced as well: ${name}`, async (t) => {
    await askOften(await open(t, name), '/demo', PERSON);
  });
