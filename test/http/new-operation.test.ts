// Goal: an operation is added as CONTRIBUTING.md says, with one file and its place in the list. Method: the example there
// is compiled with the tests, put into a copy of the sources, found in the description, and asked over HTTP.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import type { documentOf } from '../../src/api/openapi/complete.ts';
import type { routeApi } from '../../src/api/api.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import type { buildServer } from '../../src/server/server.ts';
import { root } from '../../proof/program.ts';

const LIST = 'export const OPERATIONS: readonly Operation[] = [';

let copy: string;
let name: string;
let route: string;
let example: string;
before(async () => {
  copy = await mkdtemp(join(tmpdir(), 'new-operation-'));
  for (const entry of await readdir(root))
    if (entry === 'src') await cp(join(root, entry), join(copy, entry), { recursive: true });
    else if (!entry.startsWith('.')) await symlink(join(root, entry), join(copy, entry));
  const text = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, file = '', found = ''] = /`(src\/api\/operations\/[\w-]+\.ts)`:\n\n```ts\n(.+?)```/s.exec(text) ?? [];
  [, name = '', route = ''] = /export const (\w+) = operation\('\1', '([^']+)'/.exec(found) ?? [];
  assert.ok(name !== '' && route !== '', 'CONTRIBUTING.md has no example of an operation');
  example = found;
  await writeFile(join(copy, file), example);
  const list = join(copy, 'src/api/operations.ts');
  const listed = (await readFile(list, 'utf8')).replace(LIST, `${LIST}\n  ${name},`);
  const imported = `import { ${name} } from '${file.replace('src/api', '.')}';\n`;
  await writeFile(list, listed.replace(/^import /m, `${imported}import `));
});
after(() => rm(copy, { recursive: true, force: true }));

const load = async (path: string): Promise<unknown> => import(pathToFileURL(join(copy, path)).href);

test('the example compiles: it is the one that the check compiles', async () => {
  const inTests = example.replaceAll("'../../", "'../../src/").replaceAll("'../operation", "'../../src/api/operation");
  assert.equal(await readFile(join(root, 'test/support/example-operation.ts'), 'utf8'), inTests);
});

test('it is described, and answers as its example says, to a key alone', async () => {
  const described = (await load('src/api/openapi/complete.ts')) as { documentOf: typeof documentOf };
  const [method, path] = route.split(' ') as ['GET', string];
  const operation = described.documentOf('http://localhost').paths[path]?.[method.toLowerCase()];
  assert.equal(operation?.operationId, name);
  const success = operation.responses['200'];
  assert.ok(success && 'content' in success);
  const [shown] = Object.values(success.content?.['application/json']?.examples ?? {});
  assert.ok(shown);

  const { merchantNumber: id, ...told } = shown.value as { readonly merchantNumber: number };
  const merchant = { ...told, id, dialect: 'spec' };
  const holder = { merchant, key: { id: 1, scopes: ['read'] } };
  const key = '0'.repeat(32);
  const store = {
    merchants: { known: (digits: string) => (digits === key ? holder : undefined), find: async () => undefined },
    keyUses: { note: () => {} },
  };
  const { routeApi: addApi } = (await load('src/api/api.ts')) as { routeApi: typeof routeApi };
  const { buildServer: build } = (await load('src/server/server.ts')) as { buildServer: typeof buildServer };
  const publicUrl = () => 'http://localhost';
  const options = { payments: { store }, rates: {}, publicUrl, privateHooks: true };
  const app = await build({
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    readiness: { reasonNotReady: async () => undefined },
    publicUrl,
    routes: [
      (server) => server.register(async (api) => addApi(api, options as unknown as Parameters<typeof routeApi>[1])),
    ],
  });
  const reply = await app.inject({ method, url: path, headers: { authorization: key } });
  assert.deepEqual([reply.statusCode, reply.json()], [200, shown.value], reply.body);
  assert.equal((await app.inject({ method, url: path })).statusCode, 401);
  await app.close();
});
