// A real PgBouncer in front of a database, in either mode.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireProgram } from './debian-package.ts';
import { freePort } from './free-port.ts';
import { until } from './kassa.ts';

export type Pooler = {
  /** The database through it. */
  readonly url: string;
  stop(): Promise<void>;
};

const PATHS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'];

const answersAt = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** `size`: the connections that it has to the database, whoever asks. */
export async function startPooler(
  databaseUrl: string,
  { mode, size }: { readonly mode: 'session' | 'transaction'; readonly size: number },
): Promise<Pooler> {
  const program = await requireProgram({
    find: () => PATHS.find((path) => existsSync(path)),
    packages: ['pgbouncer'],
    neededBy: 'the test of poolers needs',
  });
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'kassa-pooler-'));
  await chmod(folder, 0o755);
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${size}`,
    'max_client_conn = 500',
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${settings.join('\n')}\n`);
  // It refuses to run as root.
  const asAnother = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const pooler = spawn(program, [...asAnother, file], { stdio: 'ignore' });
  await until('PgBouncer', () => answersAt(port));
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    stop: async () => {
      const ended = once(pooler, 'exit');
      pooler.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
