// Goal: what a release packs is whole: the built program finds its statements, migrations, pages, fonts and threads where
// the package has them, and asks for no source and no tool that builds. Method: the package's folder as it is laid out for
// packing, with nothing of the checkout but its packages; served, paid, printed, looked at.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root } from '../../proof/program.ts';
import { NotReady, notesOf } from '../../scripts/release/notes.ts';
import { refuseUnready } from '../../scripts/release/readiness.ts';
import { commit } from '../../src/ops/version.ts';
import { tidySbom } from '../../scripts/release/sbom.ts';
import { stageRelease } from '../../scripts/release/stage.ts';
import { anInvoicePay } from '../support/checkout.ts';
import { aCreate, Client } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { runKassa, serveKassa, until } from '../support/kassa.ts';

describe('a release', () => {
  let folder: string;
  let program: [string, string];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kassa-staged-'));
    await chmod(folder, 0o755);
    await stageRelease(folder);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    program = [process.execPath, join(folder, 'bin', 'kassa.js')];
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('holds no source, no script, and no dependency that only builds or tests', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, object>;
    assert.deepEqual(
      ['scripts', 'devDependencies', 'private'].filter((name) => name in manifest),
      [],
    );
    assert.equal(manifest['gitHead'], commit, 'the commit that it was made from');
    const named = Object.keys({ ...manifest['dependencies'] });
    assert.deepEqual(
      ['esbuild', 'marked', 'typescript', 'playwright-core'].filter((name) => named.includes(name)),
      [],
    );
    assert.ok(named.includes('fastify'));
    assert.ok(!existsSync(join(folder, 'src', 'main.ts')));
  });

  test('says its version, and serves the API, the checkout, the demo, the console and invoices', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kassa-staged-data-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    assert.equal((await runKassa(['--version'], { program })).out, `${version}\n`);

    const env = { DATABASE_URL: await cloneDatabase(), KASSA_DATA_DIR: dataDir, KASSA_SANDBOX: 'on' };
    const running = await serveKassa(t, { program, env });
    const { url, client } = running;
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', aCreate());
    const { checkoutKey } = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as { checkoutKey: string };
    const paid = await new Client(url).post('/api/v1/pay', anInvoicePay('19121212-1212'), { paymentId, checkoutKey });
    assert.equal(paid.status, 201, paid.text);
    await client.charge(paymentId, 100_000);
    const { pdfLink } = (await client.payment(paymentId)).paymentDetails.invoiceDetails;
    // Printing comes after all else that the machine has to do: who waited for too long is told to ask again.
    const printed = await until('the invoice', async () => {
      const answer = await fetch(pdfLink);
      return answer.status !== 503 && answer;
    });
    assert.equal(printed.headers.get('content-type'), 'application/pdf');

    const page = await fetch(`${url}/demo`);
    const html = await page.text();
    const assets = [...html.matchAll(/(?:src|href)="(?<path>\/[^"]+\.(?:js|css))"/g)].map(
      ([, path]) => `${url}${path}`,
    );
    assert.ok(assets.length >= 2, html);
    // The guides were rendered ahead: what renders them may be gone.
    assert.ok(existsSync(join(folder, 'docs', 'built', 'guides.json')));
    const docs = ['', '/api', '/operate/console', '/images/console-payments.png'].map((path) => `${url}/docs${path}`);
    for (const address of [...assets, `${url}/v1/checkout.js`, ...docs, `${url}/console/sign-in`])
      assert.equal((await fetch(address)).status, 200, address);
    assert.equal((await running.stop()).code, 0);
  });
});

describe('what a release script holds to', () => {
  const ready = { changed: '', version: '1.2.0', newestSchema: 42, kept: { version: '1.2.0', schema: 42 } };

  test('it refuses what is in no commit, and what leaves nothing for the tests of later releases', () => {
    refuseUnready(ready);
    const { kept: _kept, ...without } = ready;
    const refused: readonly [Parameters<typeof refuseUnready>[0], RegExp][] = [
      [{ ...ready, changed: ' M src/main.ts' }, /in no commit:\n M src\/main\.ts/],
      [without, /releases\/1\.2\.0 is missing.*npm run release:keep/],
      [{ ...ready, newestSchema: 43 }, /with schema 42, and this is 1\.2\.0 with schema 43: run npm run release:keep/],
      [{ ...ready, kept: { version: '1.1.0', schema: 42 } }, /is of version 1\.1\.0/],
    ];
    for (const [standing, why] of refused)
      assert.throws(
        () => refuseUnready(standing),
        (error) => error instanceof NotReady && why.test(error.message),
      );
  });

  test('its notes are the pending part of the changelog, and no more', () => {
    const head = '# Changelog\n\n';
    const pending = '## Pending\n\n### For shops\n\n- This.\n';
    const notes = notesOf('1.2.0', 'abc', `${head}${pending}\n## 1.1.0\n\n- That.\n`);
    assert.match(notes, /^# Kassa 1\.2\.0\n\nMade from commit abc\./);
    assert.match(notes, /is not signed[\s\S]*\n### For shops\n\n- This\.\n$/);
    assert.equal(notes, notesOf('1.2.0', 'abc', head + pending));
    for (const empty of [head, `${head}## Pending\n\n## 1.1.0\n\n- That.\n`])
      assert.throws(() => notesOf('1.2.0', 'abc', empty), NotReady);
    const real = notesOf('1.2.0', 'abc', readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
    assert.ok(real.includes('### For shops') && real.includes('### For operators'));
  });

  test('its list of parts names no place, and not the folder in which it was made', () => {
    const places = { externalReferences: [{ type: 'distribution', url: 'https://packages.example/a.tgz' }] };
    const own = { name: 'some-folder', properties: [{ name: 'cdx:npm:package:private', value: 'true' }], ...places };
    const made = { metadata: { component: own }, components: [{ name: 'a', version: '1.0.0', ...places }] };
    const { metadata, components } = JSON.parse(tidySbom(JSON.stringify(made), 'kassa')) as typeof made;
    assert.deepEqual(metadata.component, {
      name: 'kassa',
      type: 'application',
      properties: [],
      externalReferences: [],
    });
    assert.deepEqual(components, [{ name: 'a', version: '1.0.0', externalReferences: [] }]);
  });
});
