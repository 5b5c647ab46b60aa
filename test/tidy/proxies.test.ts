// Goal: the proxies that we ship write down no secret that stands in an address, and tell browsers to stay with TLS.
// Method: their files are read as text; each route with a secret in its path is put through what they make of a path.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readSources, root } from './source.ts';

const read = (file: string): string => readFileSync(join(root, 'deploy', file), 'utf8').replaceAll(/^\s*#.*\n/gm, '');
const NGINX = read('nginx/kassa.conf');
const CADDY = read('container/Caddyfile');

const SECRET = '5ec2e7';
const ROUTES = readSources()
  .filter(({ path }) => /^src\/.*\.ts$/.test(path))
  .flatMap(({ text }) =>
    Array.from(text.matchAll(/'(\/[^']*:(?:secret|session)\b[^']*)'/g), ([, route]) => `${route}`),
  );
const PATHS = [...new Set(ROUTES)].map((route) => route.replaceAll(/:\w+/g, SECRET));
// As somebody else spells them: nobody's routes, and the same secrets.
const ODD = PATHS.flatMap((path) => [path.replace(/^./, '/Pay/'), path.toUpperCase(), `${path}/`, path.slice(1)]);
const API = '/v1/payments/0192f3a4b5c67a1c8d2e4f5061728394/charges';

/** What stands in the log in place of a path, by the first line of the map that fits. */
function mapped(path: string): string {
  const [, body = ''] = /map \$uri \$kassa_path \{([^}]*)\}/.exec(NGINX) ?? assert.fail('there is no map');
  const lines = body.split(';').map((line) => line.trim().split(/\s+/));
  for (const [pattern = '', value = ''] of lines) {
    const found = pattern.startsWith('~') && new RegExp(pattern.slice(1)).exec(path);
    if (found) return value.replace('$uri', path).replaceAll(/\$(kassa_\w+)/g, (_, name) => `${found.groups?.[name]}`);
  }
  return lines.find(([pattern]) => pattern === 'default')?.[1] ?? '';
}

/** The same of Caddy, of an address with its query. */
function filtered(uri: string): string {
  const [, pattern = '', value = ''] =
    /request>uri regexp "([^"]*)" "([^"]*)"/.exec(CADDY) ?? assert.fail('there is no filter');
  return uri.replace(new RegExp(pattern), value);
}

describe('the proxies that we ship', () => {
  test('there are routes with secrets to try', () => {
    for (const begin of ['/console/link/', '/invoices/', '/subscriptions/', '/challenge/'])
      assert.ok(
        PATHS.some((path) => path.startsWith(begin)),
        begin,
      );
  });

  test('nginx logs no secret of a path, no query, and of no error the address', () => {
    for (const path of [...PATHS, ...ODD]) assert.doesNotMatch(mapped(path), new RegExp(SECRET, 'i'), path);
    assert.equal(mapped(API), API);
    assert.equal(mapped('/readyz'), '/readyz');
    const [, format = ''] = /log_format kassa '([^']*)'/.exec(NGINX) ?? [];
    assert.match(format, /\$kassa_path .*\$upstream_status/);
    assert.doesNotMatch(
      format,
      /\$(?:uri|request|request_uri|document_uri|args|query_string|http_|arg_|request_body)\b/,
    );
    const servers = NGINX.split(/^server \{/m).slice(1);
    assert.equal(servers.length, 2);
    for (const server of servers) {
      assert.deepEqual(server.match(/access_log .*/g), ['access_log /var/log/nginx/kassa.log kassa;']);
      assert.deepEqual(server.match(/error_log .*/g), ['error_log /var/log/nginx/kassa-error.log emerg;']);
    }
  });

  test('Caddy logs no secret of a path, no query and no header', () => {
    for (const path of [...PATHS, ...ODD])
      assert.doesNotMatch(filtered(`${path}?q=${SECRET}`), new RegExp(SECRET, 'i'), path);
    assert.equal(filtered(`${API}?q=1`), API);
    assert.match(CADDY, /^\{\s*log \{\s*format filter \{\s*wrap json/m, 'for every log, that of errors too');
    assert.match(CADDY, /request>headers delete/);
    assert.equal(CADDY.match(/\blog\b/g)?.length, 1, 'a log of a site would have a format of its own');
  });

  test('both send HSTS with every answer, their own too', () => {
    const [, , https = ''] = NGINX.split(/^server \{/m);
    assert.match(https, /^\tadd_header Strict-Transport-Security "max-age=31536000" always;$/m);
    assert.equal(NGINX.match(/add_header/g)?.length, 1, 'one in a location would put the others away');
    const [, site = ''] = CADDY.split('{$DOMAIN}');
    assert.match(site, /^\theader Strict-Transport-Security "max-age=31536000"$/m);
  });
});
