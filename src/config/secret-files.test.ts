// Secrets out of files: what is read, and each thing that can be wrong with a file, told in one sentence that names the
// setting and repeats nothing of what is in it. Method: real files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { readConfig } from '../config.ts';
import { SECRETS, SETTINGS, fileNameOf } from './settings.ts';
import { TRACING_SETTINGS } from './tracing.ts';

const URL = 'postgres://me:rabarber@db.example/shop';

describe('secrets out of files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-secrets-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const fileWith = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  test('every secret is one, and may come out of a file, also by a link', () => {
    assert.deepEqual(
      SECRETS.filter((name) => !(name in SETTINGS) && !(name in TRACING_SETTINGS)),
      [],
    );
    const key = `test-secret-key-${'c0ffee00'.repeat(4)}`;
    symlinkSync(fileWith('url', `${URL}\n`), join(folder, 'link'));
    const config = readConfig({
      DATABASE_URL_FILE: join(folder, 'link'),
      KASSA_CLI_KEY_FILE: fileWith('key', `${key}\r\n`),
      KASSA_OIDC_ISSUER: 'https://id.example',
      KASSA_OIDC_CLIENT_ID: 'kassa',
      KASSA_OIDC_CLIENT_SECRET_FILE: fileWith('oidc', ' with spaces \n\n'),
    });
    assert.equal(config.databaseUrl, URL);
    assert.equal(config.sandbox, false, 'a database of yours, as if it stood in the environment');
    assert.equal(config.cliKey, key);
    const headers = {
      OTEL_EXPORTER_OTLP_HEADERS_FILE: fileWith('headers', 'api-key=abc\n'),
      OTEL_TRACES_EXPORTER: 'otlp',
    };
    assert.deepEqual(readConfig(headers).tracing?.headers, { 'api-key': 'abc' });
    assert.equal(config.signIn.oidc?.clientSecret, ' with spaces \n', 'one newline at the end is dropped, and no more');
  });

  test('both at once are refused by name; an empty one counts as none', () => {
    const path = fileWith('both', URL);
    for (const name of SECRETS)
      assert.throws(() => readConfig({ [name]: 'rabarber', [fileNameOf(name)]: path }), {
        name: 'BadConfig',
        message: `${name} and ${name}_FILE are both set; set one of them.`,
      });
    assert.equal(readConfig({ DATABASE_URL: '', DATABASE_URL_FILE: path }).databaseUrl, URL);
    assert.equal(readConfig({ DATABASE_URL: URL, DATABASE_URL_FILE: '' }).databaseUrl, URL);
  });

  const wrong: readonly (readonly [what: string, make: () => string])[] = [
    ['does not exist', () => join(folder, 'nothing')],
    ['does not exist', () => join(fileWith('a-file', URL), 'below')],
    ['is a folder', () => folder],
    ['is empty', () => fileWith('empty', '')],
    ['is empty', () => fileWith('newline', '\n')],
    ['is larger than 64 KiB', () => fileWith('large', 'rabarber'.repeat(10_000))],
    ['is not a regular file', () => '/dev/zero'],
    ['is not text', () => fileWith('binary', Buffer.from([0xff, 0xfe, 0]))],
  ];
  for (const [what, make] of wrong) {
    test(`what ${what} stops the start: ${make.toString().slice(6)}`, () => {
      const path = make();
      const message = `KASSA_CLI_KEY_FILE names ${JSON.stringify(path)}, which ${what}.`;
      assert.throws(() => readConfig({ KASSA_CLI_KEY_FILE: path }), { name: 'BadConfig', message });
    });
  }

  test('a pipe is refused and not waited for, and a link to itself is named', () => {
    const [pipe, loop] = [join(folder, 'pipe'), join(folder, 'loop')];
    execFileSync('mkfifo', [pipe]);
    symlinkSync(loop, loop);
    assert.throws(() => readConfig({ DATABASE_URL_FILE: pipe }), /which is not a regular file\.$/);
    assert.throws(() => readConfig({ DATABASE_URL_FILE: loop }), /which is a link to itself\.$/);
  });

  test('what is in a file is checked as the setting is, and not repeated', () => {
    const path = fileWith('wrong', 'mysql://root:rabarber@localhost/shop');
    assert.throws(
      () => readConfig({ DATABASE_URL_FILE: path }),
      (error: Error) => error.message.startsWith('DATABASE_URL must be ') && !error.message.includes('rabarber'),
    );
  });

  test('no other setting comes out of a file', () => {
    assert.throws(() => readConfig({ KASSA_PUBLIC_URL_FILE: '/etc/hosts' }), { name: 'BadConfig' });
  });
});
