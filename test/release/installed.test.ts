// Goal: a stranger with a tarball and a Node of their own comes to a paid payment: by the kit, by the client, from ESM and
// CommonJS, with types. Method: the package is packed as a release is, and installed by npm into a clean folder with a
// clean home; the Node is whichever the machine has, not ours; what is run is the example that people copy.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../../proof/program.ts';
import { packRelease } from '../../scripts/release/pack.ts';
import { sha256Of } from '../../scripts/release/provenance.ts';
import { cloneDatabase } from '../support/database.ts';
import { runKassa, serveKassa } from '../support/kassa.ts';
import { readDocument } from '../start/documents.ts';

const run = promisify(execFile);

// Only keeps what hangs from hanging all.
const LIMIT_MS = 800_000;

const CHARGED = `
(async () => {
  const { startKassa } = MODULE;
  const kassa = await startKassa();
  const shop = await kassa.merchant();
  const amounts = { unitPrice: 5, netTotalAmount: 5, grossTotalAmount: 5 };
  const item = { reference: 'a', name: 'A', quantity: 1, unit: 'pcs', ...amounts };
  const order = { items: [item], amount: 5, currency: 'SEK' };
  const { paymentId } = await shop.createPayment({ order, checkout: { url: 'https://shop.example' } });
  const { outcome } = await shop.pay(paymentId);
  await shop.chargePayment(paymentId, { amount: 5 });
  const { payment } = await shop.getPayment(paymentId);
  console.log(outcome, payment.summary.chargedAmount, JSON.stringify(kassa.took));
  await kassa.stop();
})();
`;

const TYPED = `
import { createClient, KassaError, verifyWebhook, type EventOf } from 'kassa/client';
import { cards, startKassa, type Shop } from 'kassa/testing';
const kassa = await startKassa({ settings: { KASSA_PAYMENT_LIFETIME: '1h' } });
const shop: Shop = await kassa.merchant({ atBank: true });
const charged: EventOf<'payment.charge.created.v2'> = await shop.waitFor('payment.charge.created.v2');
const id: string = charged.data.chargeId;
for await (const payment of shop.listPayments({ state: 'charged' })) await shop.pay(payment, cards.approved);
const client = createClient({ url: kassa.url, secretKey: shop.secretKey });
// @ts-expect-error -- an amount is a number
await client.chargePayment(id, { amount: '5' });
const event = await verifyWebhook('', {}, 'whsec_');
if (event.event === 'payment.checkout.completed') console.log(event.data.paymentId);
export const isOurs = (error: unknown): boolean => error instanceof KassaError && error.name === 'Refused';
`;

describe('the package, installed by a stranger', () => {
  let folder: string;
  let tarball: string;
  let env: NodeJS.ProcessEnv;
  let node: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kassa-installed-'));
    // Postgres runs as another user where these tests run as root.
    chmodSync(folder, 0o755);
    for (const name of ['home', 'tmp', 'shop', 'packed']) mkdirSync(join(folder, name));
    tarball = await packRelease(join(folder, 'packed'));
    // npm puts our own Node in front of the machine's.
    const path = (process.env['PATH'] ?? '').split(delimiter).filter((part) => !part.includes('node_modules'));
    const cache = execFileSync('npm', ['config', 'get', 'cache'], { cwd: root, encoding: 'utf8' }).trim();
    env = {
      PATH: path.join(delimiter),
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      npm_config_cache: cache,
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
    };
    node = (await run('node', ['-p', 'process.execPath'], { env })).stdout.trim();
  });
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 }));

  const inShop = (...parts: string[]): string => join(folder, 'shop', ...parts);
  const nodeRuns = (...words: string[]) => run(node, words, { cwd: inShop(), env, timeout: LIMIT_MS });

  test('pays: the tarball, npm install, a script with the kit', async (t) => {
    writeFileSync(inShop('package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
    const startedAt = performance.now();
    await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: inShop(), env, timeout: LIMIT_MS });
    const installedAt = performance.now();
    writeFileSync(inShop('pay.mjs'), CHARGED.replace('MODULE', "await import('kassa/testing')"));
    const { stdout } = await nodeRuns('pay.mjs');
    assert.match(stdout, /^paid 5 /);
    const paidAt = performance.now();
    const [install, first] = [(installedAt - startedAt) / 1_000, (paidAt - installedAt) / 1_000];
    const bytes = execFileSync('du', ['-sk', inShop('node_modules')], { encoding: 'utf8' }).split('\t')[0];
    t.diagnostic(`node ${(await nodeRuns('-v')).stdout.trim()}, ${basename(tarball)} ${statSync(tarball).size} bytes`);
    t.diagnostic(`installed in ${install.toFixed(1)} s, ${Number(bytes) / 1_000} MB; paid ${first.toFixed(1)} s later`);
    t.diagnostic(`first start: ${stdout.trim()}`);
  });

  test('pays once more, quicker, by require()', async (t) => {
    const startedAt = performance.now();
    writeFileSync(inShop('pay.cjs'), CHARGED.replace('MODULE', "require('kassa/testing')"));
    const { stdout } = await nodeRuns('pay.cjs');
    assert.match(stdout, /^paid 5 /);
    t.diagnostic(`second start: ${stdout.trim()}, ${((performance.now() - startedAt) / 1_000).toFixed(1)} s in all`);
    const same = `const { KassaError } = require('kassa/client');
      const starting = require('kassa/testing').startKassa({ settings: { PORT: 'x' } });
      starting.catch((error) => console.log(error.message, !!KassaError));`;
    assert.match((await nodeRuns('-e', same)).stdout, /PORT is "x"; it must be a number from 0 to 65535\. true/);
  });

  test('comes with a list of its parts that names no host, and with what it was made from', () => {
    const beside = (kind: string): string => readFileSync(tarball.replace(/tgz$/, kind), 'utf8');
    const { metadata, components } = JSON.parse(beside('sbom.json')) as {
      metadata: { component: { name: string } };
      components: { name: string; hashes: unknown[] }[];
    };
    const names = components.map(({ name }) => name);
    assert.equal(metadata.component.name, 'kassa');
    assert.ok(names.includes('fastify') && names.includes('pg') && !names.includes('typescript'), names.join());
    assert.ok(components.every(({ hashes }) => hashes.length > 0));
    assert.deepEqual(
      Array.from(beside('sbom.json').matchAll(/https?:\/\/([^/"]+)/g), ([, host]) => host),
      ['cyclonedx.org'],
    );
    const { subject, predicate } = JSON.parse(beside('provenance.json')) as {
      subject: { name: string; digest: { sha256: string } }[];
      predicate: { buildDefinition: { resolvedDependencies: { digest: { gitCommit?: string } }[] } };
    };
    for (const { name, digest } of subject) assert.equal(digest.sha256, sha256Of(join(folder, 'packed', name)), name);
    assert.deepEqual(
      subject.map(({ name }) => name),
      [basename(tarball), basename(tarball).replace(/tgz$/, 'sbom.json')],
    );
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
    assert.equal(predicate.buildDefinition.resolvedDependencies[0]?.digest.gitCommit, commit);
  });

  test('runs the example that people copy, and the tests of testing.md', async () => {
    cpSync(join(root, 'examples', 'node-test'), inShop(), { recursive: true });
    const { text } = readDocument('docs/integrate/testing.md');
    const blocks = Array.from(text.matchAll(/^```js\n([\s\S]*?)^```$/gm), ([, lines = '']) => lines);
    assert.equal(blocks.length, 3);
    writeFileSync(inShop('documented.test.mjs'), blocks.join('\n'));
    const { stdout } = await nodeRuns('--test', '--test-reporter=tap');
    assert.match(stdout, /^# pass 6$/m);
    assert.match(stdout, /^# fail 0$/m);
  });

  test('serves without its optional parts, as a user who can write nothing of it, and says what is missing', async (t) => {
    const image = join(folder, 'image');
    mkdirSync(image);
    const words = ['install', '--omit=optional', '--omit=dev', '--no-audit', '--no-fund', '--no-save', tarball];
    await run('npm', words, { cwd: image, env, timeout: LIMIT_MS });
    const size = execFileSync('du', ['-sk', join(image, 'node_modules')], { encoding: 'utf8' }).split('\t')[0];
    t.diagnostic(`without optional parts ${Number(size) / 1_000} MB`);
    const program: [string, string] = [process.execPath, join(image, 'node_modules', 'kassa', 'bin', 'kassa.js')];
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const service = await serveKassa(t, { program, ...asNobody, env: { DATABASE_URL: await cloneDatabase() } });
    for (const path of ['/readyz', '/docs/api', '/openapi.json'])
      assert.equal((await fetch(service.url + path)).status, 200, path);
    assert.equal((await service.stop()).code, 0);
    const alone = await runKassa(['serve'], {
      program,
      env: { PORT: '0', KASSA_DATA_DIR: join(folder, 'tmp', 'data') },
    });
    assert.equal(alone.code, 1);
    assert.match(alone.err, /^kassa: [^\n]*DATABASE_URL[^\n]*\n$/);
  });

  test('has types, for modules and for CommonJS, that take what is right and refuse what is wrong', async () => {
    writeFileSync(inShop('typed.mts'), TYPED);
    writeFileSync(
      inShop('typed.cts'),
      "import kit = require('kassa/testing');\nexport const number: string = kit.cards.approved;\n",
    );
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const types = ['--typeRoots', join(root, 'node_modules', '@types'), '--types', 'node'];
    const settings = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', ...types];
    await run(process.execPath, [tsc, ...settings, 'typed.mts', 'typed.cts'], { cwd: inShop() }).catch(
      (error: Error & { stdout?: string }) => assert.fail(error.stdout ?? error.message),
    );
  });
});
