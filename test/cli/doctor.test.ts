// Goal: kassa doctor tells what is well and what is not, with what to do, by an exit code that a script can read, and no
// secret. Method: what it makes of what it sees, as tables; endpoints that really show certificates; and the command on
// databases as they may be.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { probe, probeAll } from '../../src/cli/commands/doctor-endpoints.ts';
import {
  judgeAcquirers,
  judgeClock,
  judgeEndpoints,
  judgeRoom,
  judgeServer,
  worstOf,
} from '../../src/cli/commands/doctor-findings.ts';
import type { Finding } from '../../src/cli/commands/doctor-findings.ts';
import { writeAddress } from '../../src/start/address-file.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { runCommand } from '../support/commands.ts';
import { cloneDatabase } from '../support/database.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-19T12:00:00Z');
const WELL = {
  postgres: '18.0',
  schema: 48,
  lacking: 0,
  unsafe: [],
  connections: 97,
  connectionsNeeded: 62,
  bytes: 7e7,
};

describe('what is found', () => {
  const room = (freeBytes: number) => judgeRoom({ folder: '/data', freeBytes, bytes: 1e12 });
  const endpoint = (days: number, fault?: string) =>
    judgeEndpoints(
      [{ host: 'a.example', endsAtMs: NOW + days * DAY_MS, ...(fault !== undefined && { fault }) }],
      0,
      NOW,
    );
  const rows: readonly (readonly [what: string, found: Finding | Finding[], state: Finding['state'], says: RegExp])[] =
    [
      ['clocks that agree', judgeClock(1_999), 'ok', /agree/],
      ['a clock ahead', judgeClock(2_000), 'warn', /2\.0 s ahead of the database's: .*NTP/],
      ['a clock behind', judgeClock(-59_999), 'warn', /60\.0 s behind/],
      ['a clock that is wrong', judgeClock(-60_000), 'fail', /behind/],
      ['a disk with room', room(2e9), 'ok', /2\.0 GB of 1\.0 TB free on the disk of \/data\./],
      ['a disk with little', room(2e9 - 1), 'warn', /free up space/],
      ['a disk with none', room(1e8 - 1), 'fail', /free up space/],
      ['a server', judgeServer(WELL), 'ok', /Connected to Postgres 18\.0; schema version 48, 70 MB/],
      ['missing migrations', judgeServer({ ...WELL, lacking: 1 }), 'warn', /1 migration missing: run kassa migrate/],
      ['fsync off', judgeServer({ ...WELL, unsafe: ['fsync'] }), 'warn', /fsync turned off .*turn it on/],
      ['few connections', judgeServer({ ...WELL, connections: 61 }), 'warn', /61 connections.*may need 62: raise/],
      ['a certificate', endpoint(14), 'ok', /1 endpoint certificate valid/],
      ['one that ends soon', endpoint(13), 'warn', /a\.example expires on 2026-12-02: renew/],
      ['one that ended', endpoint(-1), 'fail', /a\.example expired on 2026-11-18: renew/],
      ['one that ended and is not trusted', endpoint(-1, 'CERT_HAS_EXPIRED'), 'fail', /expired on/],
      ['one of another name', endpoint(90, 'for another name'), 'fail', /not trusted: for another name\. Install/],
      [
        'an endpoint that is away',
        judgeEndpoints([{ host: 'b', away: 'gone' }], 0, NOW),
        'warn',
        /Cannot connect to b: gone/,
      ],
      ['more than it looks at', judgeEndpoints([], 3, NOW), 'warn', /3 more endpoints not checked/],
      ['no endpoints', judgeEndpoints([], 0, NOW), 'ok', /No endpoint/],
      ['no acquirers', judgeAcquirers([]), 'ok', /No acquirers besides the simulator/],
      ['an acquirer', judgeAcquirers([{ name: 'bank', trouble: undefined }]), 'ok', /bank responds/],
      [
        'one that is away',
        judgeAcquirers([{ name: 'bank', trouble: 'gone' }]),
        'fail',
        /gone\. .* kassa acquirer add bank/,
      ],
    ];
  for (const [what, found, state, says] of rows)
    test(what, () => {
      const findings = [found].flat();
      assert.deepEqual([findings.length, worstOf(findings)], [1, state]);
      assert.match(findings[0]?.says ?? '', says);
    });

  test('all that is wrong with a server is told; the worst of all counts', () => {
    const findings = judgeServer({ ...WELL, lacking: 2, unsafe: ['fsync', 'full_page_writes'], connections: 1 });
    assert.equal(findings.length, 3);
    assert.equal(worstOf([...findings, judgeClock(1e6)]), 'fail');
    assert.equal(worstOf([]), 'ok');
  });
});

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../fixtures/tls', name));

async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

test('an endpoint shows its certificate, and is only told of where events may go', async (t) => {
  const secure = (name: string): Promise<number> =>
    listen(
      t,
      createTlsServer({ key: fixture('server.key'), cert: fixture(`${name}.crt`) }, (socket) =>
        socket.on('error', () => {}),
      ),
    );
  const [good, expired] = [await secure('good'), await secure('expired')];
  const plain = await listen(
    t,
    createServer((socket) => socket.on('error', () => {}).end('no')),
  );
  const silent = await listen(
    t,
    createServer((socket) => socket.on('error', () => {})),
  );
  const at = (port: number, reach: 'home' | 'live' = 'home', timeoutMs?: number) =>
    probe({ url: `https://localhost:${port}/hook?secret=typed`, reach }, timeoutMs);

  const shown = await at(good);
  assert.ok('endsAtMs' in shown && shown.endsAtMs > Date.parse('2100-01-01'), JSON.stringify(shown));
  assert.match(shown.fault ?? '', /UNABLE_TO_VERIFY|SELF_SIGNED/, 'nobody here trusts its authority');
  const ended = await at(expired);
  assert.ok('endsAtMs' in ended && ended.endsAtMs < Date.now(), JSON.stringify(ended));
  for (const [away, why] of [
    [await at(plain), /wrong version|closed|disconnected|ECONNRESET|socket/i],
    [await at(silent, 'home', 50), /no response within 0\.05 s/],
    [await at(good, 'live'), /it must not lead to a loopback address/],
    [await probe({ url: `https://127.0.0.1:${good}/`, reach: 'live' }), /must not lead to a loopback address/],
  ] as const) {
    assert.ok('away' in away, JSON.stringify(away));
    assert.match(away.away, why);
    assert.ok(!JSON.stringify(away).includes('typed'));
  }
  const urls = [good, good, expired, plain].map((port) => ({
    url: `https://localhost:${port}/`,
    reach: 'home' as const,
  }));
  const { probed, leftOut } = await probeAll(urls, 2);
  assert.deepEqual([probed.length, leftOut], [2, 1], 'each host once, and no more than asked for');
});

describe('the command', () => {
  const doctor = async (env: Readonly<Record<string, string>>, ...args: string[]) => {
    const { code, out, err } = await runCommand(['doctor', ...args], { env });
    return { code, out, err, stateOf: (subject: string) => new RegExp(`^(\\w+) +${subject} `, 'm').exec(out)?.[1] };
  };

  test('a database in order, an acquirer and an endpoint that are not: exit code 1, and no secret', async () => {
    const databaseUrl = await cloneDatabase();
    const pool = openPool(databaseUrl, { size: 1 });
    const env = { DATABASE_URL: databaseUrl, KASSA_PRIVATE_HOOKS: 'on' };
    const well = await doctor(env);
    assert.deepEqual([well.code, well.err], [0, ''], well.out);
    // Of the tests' own server that is said: it need not survive its machine.
    assert.match(well.out, /^ok +database +Postgres \d|^warn +database +The server has fsync/m);
    for (const subject of ['settings', 'versions', 'service', 'disk', 'clock', 'endpoint', 'acquirer'])
      assert.equal(well.stateOf(subject), 'ok', `${subject} in ${well.out}`);
    await putAcquirer(pool, { name: 'gone', url: 'http://127.0.0.1:9', key: 'a-secret-of-the-bank' });
    const ill = await doctor(env, '--json');
    const { state, findings } = JSON.parse(ill.out) as { state: string; findings: Finding[] };
    assert.deepEqual([ill.code, state], [1, 'fail']);
    const acquirer = findings.find(({ subject }) => subject === 'acquirer');
    assert.equal(acquirer?.state, 'fail');
    assert.match(acquirer?.says ?? '', /^gone does not work: .*kassa acquirer add gone/);
    const { password } = new URL(databaseUrl);
    for (const secret of ['a-secret-of-the-bank', password].filter(Boolean))
      for (const { out } of [well, ill]) assert.ok(!out.includes(secret), secret);
    await pool.query(`delete from schema_migrations where number = (select max(number) from schema_migrations)`);
    const behind = await doctor(env);
    assert.deepEqual([behind.code, behind.stateOf('database')], [0, 'warn'], 'it was not migrated by looking');
    assert.match(behind.out, /1 migration missing/);
    await pool.close();
  });

  test('settings that are wrong, a database that is away, and one that is still to be made', async (t) => {
    const misspelt = await doctor({ KASSA_RETAIN_EVENT: '7d' });
    assert.deepEqual([misspelt.code, misspelt.stateOf('settings')], [1, 'fail']);
    assert.match(misspelt.out, /did you mean KASSA_RETAIN_EVENTS/);
    assert.equal(misspelt.stateOf('versions'), 'ok', 'what needs no settings is looked at');
    const away = await doctor({ DATABASE_URL: 'postgres://kassa:hidden@127.0.0.1:9/kassa' });
    assert.deepEqual([away.code, away.stateOf('database')], [1, 'fail']);
    assert.match(away.out, /Cannot connect to Postgres at 127\.0\.0\.1:9: start it, or correct DATABASE_URL\./);
    assert.ok(!away.out.includes('hidden'));
    const folder = await mkdtemp(join(tmpdir(), 'kassa-doctor-'));
    t.after(() => rm(folder, { recursive: true }));
    const empty = await doctor({ KASSA_DATA_DIR: folder, HOST: '0.0.0.0', KASSA_RETAIN_IDEMPOTENCY: '1d' });
    assert.deepEqual([empty.code, empty.stateOf('database'), empty.stateOf('settings')], [0, 'warn', 'warn']);
    assert.match(empty.out, /No database in .* yet: kassa serve creates one\./);
    assert.match(empty.out, /KASSA_RETAIN_IDEMPOTENCY is shorter/);
    assert.match(empty.out, /KASSA_PUBLIC_URL is not set/);
  });

  test('whether the service of the folder is ready', async (t) => {
    let status = 200;
    const service = createHttpServer((_request, response) => void response.writeHead(status).end('{"status":"x"}'));
    const port = await listen(t, service);
    const folder = await mkdtemp(join(tmpdir(), 'kassa-doctor-'));
    t.after(() => rm(folder, { recursive: true }));
    writeAddress(folder, { url: `http://127.0.0.1:${port}` });
    const ready = await doctor({ KASSA_DATA_DIR: folder });
    assert.deepEqual([ready.code, ready.stateOf('service')], [0, 'ok'], ready.out);
    status = 503;
    const ill = await doctor({ KASSA_DATA_DIR: folder });
    assert.deepEqual([ill.code, ill.stateOf('service')], [1, 'fail']);
    assert.match(ill.out, /Not ready at .*status 503: .*check its log/);
  });
});
