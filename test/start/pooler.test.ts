// Goal: Kassa works through a pooler in session mode as it does directly. Method: a real PgBouncer between a real service
// and its database, and a
// payment from its creation to its refund.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cloneDatabase } from '../support/database.ts';
import { requireProgram } from '../support/debian-package.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const PATHS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'];

const answersAt = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

describe('PgBouncer in session mode', () => {
  let folder: string;
  let pooler: ChildProcess;
  let service: Service;
  before(async () => {
    const program = requireProgram({
      find: () => PATHS.find((path) => existsSync(path)),
      packages: ['pgbouncer'],
      neededBy: 'the test of poolers needs',
    });
    const databaseUrl = await cloneDatabase();
    const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
    const port = await freePort();
    folder = await mkdtemp(join(tmpdir(), 'kassa-pooler-'));
    await chmod(folder, 0o755);
    const settings = [
      '[databases]',
      `* = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = session',
      'default_pool_size = 100',
    ];
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(file, `${settings.join('\n')}\n`);
    // It refuses to run as root.
    const asAnother = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    pooler = spawn(program, [...asAnother, file], { stdio: 'ignore' });
    await until('PgBouncer', () => answersAt(port));
    const DATABASE_URL = `postgres://${username}@127.0.0.1:${port}${pathname}`;
    service = await startService({ databaseUrl, env: { DATABASE_URL } });
  });
  after(async () => {
    await service.stop();
    const ended = once(pooler, 'exit');
    pooler.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });

  test('a payment is reserved, charged and refunded', async () => {
    const { client } = await service.openShop();
    const paymentId = await client.createReserved(10_000);
    const charged = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 10_000 });
    assert.equal(charged.status, 201, charged.text);
    const refunded = await client.post(`/v1/charges/${charged.body.chargeId}/refunds`, { amount: 5_000 });
    assert.equal(refunded.status, 201, refunded.text);
    const { body } = await client.get(`/v1/payments/${paymentId}`);
    assert.deepEqual(body.payment.summary, {
      reservedAmount: 10_000,
      chargedAmount: 10_000,
      refundedAmount: 5_000,
      cancelledAmount: 0,
    });
  });
});
