// Goal: on a host whose Node is too old, `bin/kassa.js` and the service that it starts on the pinned Node are as good as
// one process: signals, exit codes and the end are shared. Method: this Node says that it is an older one; real signals.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Workshop, readCommand } from '../database/workshop.ts';
import { cloneDatabase } from '../support/database.ts';
import { runKassa, serveKassa, until } from '../support/kassa.ts';
import type { Running } from '../support/kassa.ts';
import { root } from '../../proof/program.ts';

const OLD = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`;
const ON_OLD_NODE = [
  process.execPath,
  '--import',
  `data:text/javascript,${encodeURIComponent(OLD)}`,
  join(root, 'bin', 'kassa.js'),
] as const;

/** The service itself: the one whose parent is the wrapper. */
function serviceOf({ pid }: Running): number {
  const parentOf = (child: string): string | undefined => {
    try {
      return readFileSync(`/proc/${child}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
    } catch {
      return undefined;
    }
  };
  const [child, ...more] = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === String(pid));
  assert.ok(child !== undefined && more.length === 0);
  return Number(child);
}

const words = (pid: number): string => readCommand(pid).replaceAll('\0', ' ');

describe('bin/kassa.js on an older Node', { concurrency: 2 }, () => {
  test('kill -9 of it ends the service as SIGTERM does, and its Postgres', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const wrapper = await serveKassa(t, { env: { KASSA_DATA_DIR: shop.dataDir }, program: ON_OLD_NODE });
    const service = serviceOf(wrapper);
    t.after(() => readCommand(service) !== '' && process.kill(service, 'SIGKILL'));
    assert.match(words(wrapper.pid), /kassa\.js serve/, 'the documented pattern finds the one to signal');
    assert.doesNotMatch(words(service), /kassa\.js serve/, 'and that one alone');
    assert.match(words(service), / --max-semi-space-size=2 /);
    wrapper.child.kill('SIGKILL');
    // Standard error is the service's as well, and closes with it.
    const { signal, err } = await wrapper.ended;
    assert.equal(signal, 'SIGKILL');
    assert.match(err, /"signal":"SIGTERM","msg":"stopping"[^]+"msg":"stopped"/);
    await until('the service to be gone', () => readCommand(service) === '');
    assert.equal(shop.postmaster(), undefined);
  });

  test('signals and exit codes are the service’s: 0 after SIGTERM, 137 when it was killed, 1 for a sentence', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const env = { DATABASE_URL: await cloneDatabase(), KASSA_DATA_DIR: shop.dataDir };
    const first = await serveKassa(t, { env, program: ON_OLD_NODE });
    // As a Ctrl-C in a terminal does, both at the same time.
    process.kill(serviceOf(first), 'SIGINT');
    first.child.kill('SIGINT');
    const ended = await first.ended;
    assert.equal(ended.code, 0, ended.err);
    const second = await serveKassa(t, { env, program: ON_OLD_NODE });
    assert.equal((await second.stop()).code, 0);
    const third = await serveKassa(t, { env, program: ON_OLD_NODE });
    process.kill(serviceOf(third), 'SIGKILL');
    assert.equal((await third.ended).code, 137);
    const several = await serveKassa(t, { env: { ...env, KASSA_PROCESSES: '2' }, program: ON_OLD_NODE });
    assert.equal((await several.stop()).code, 0);
    const refused = await runKassa(['nonsense'], { program: ON_OLD_NODE });
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(refused.err, /^kassa: Unknown command nonsense\./);
  });
});
