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
    const named = Object.keys({ ...manifest['dependencies'] });
    assert.deepEqual(
      ['esbuild', 'preact', 'typescript', 'playwright-core'].filter((name) => named.includes(name)),
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
    for (const address of [...assets, `${url}/v1/checkout.js`, `${url}/docs`, `${url}/console/sign-in`])
      assert.equal((await fetch(address)).status, 200, address);
    assert.equal((await running.stop()).code, 0);
  });
});
