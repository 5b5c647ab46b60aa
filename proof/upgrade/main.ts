// `npm run upgrade -- --from CHECKOUT`: an upgrade while shops pay, and the way back. A Kassa of an earlier checkout serves
// writers who keep a journal; the database is migrated under it, this Kassa serves beside it, then alone, then the earlier
// one alone again. In the end every answer is held against the books. Prints a table, and ends with 1 if anything differs.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedDatabase } from '../../src/database/embedded.ts';
import { alignRows } from '../../src/ops/print.ts';
import { Client } from '../../test/support/client.ts';
import type { Reply } from '../../test/support/client.ts';
import { Writers, WRITES_OF_A_LIFE } from '../../test/support/writers.ts';
import { launch, mainOf, SERVICE_READY, whenReady } from '../program.ts';
import type { Ended, Program } from '../program.ts';

const AT_ONCE = 8;

const { values } = parseArgs({ options: { from: { type: 'string' }, lives: { type: 'string', default: '100' } } });
if (values.from === undefined) throw new Error('Say from which checkout: npm run upgrade -- --from CHECKOUT');
const old = mainOf(resolve(values.from));
const lives = Number(values.lives);

const work = mkdtempSync(join(tmpdir(), 'kassa-upgrade-'));
// Postgres runs as another user where this runs as root.
chmodSync(work, 0o755);
const database = await startEmbeddedDatabase({ dataDir: join(work, 'database') });
const env = { DATABASE_URL: database.url, KASSA_DATA_DIR: join(work, 'data'), PORT: '0', KASSA_LOG_LEVEL: 'warn' };

const run = (main: string, ...words: string[]): Promise<Ended> =>
  launch(words, { command: [process.execPath, main], env }).ended;

type Serving = { readonly program: Program; readonly url: string };

async function serve(main: string): Promise<Serving> {
  // Detached: it ends with this process, however that ends.
  const program = launch(['serve'], { command: [process.execPath, main], env, detached: true });
  return { program, url: `http://127.0.0.1:${await whenReady(program, SERVICE_READY)}` };
}

let longestMs = 0;
class TimedClient extends Client {
  override async send(...request: Parameters<Client['send']>): Promise<Reply> {
    const startedAt = performance.now();
    const reply = await super.send(...request);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    return reply;
  }
}

let before = await serve(old);
const made = await run(old, 'merchant', 'create', '--name', 'Writers', '--json');
const { secretKey } = JSON.parse(made.out) as { secretKey: string };
const clientAt = ({ url }: Serving): Client => new TimedClient(url, secretKey);

let clients: readonly Client[] = [clientAt(before)];
let asked = 0;
// Whoever is asked next: the steps of one payment go to both.
const writers = new Writers({ clientFor: () => clients[(asked += 1) % clients.length] as Client });
const rows = [['PHASE', 'ANSWERED', 'SENT AGAIN', 'LONGEST ANSWER']];

/** Leads payments through their life, for as long as something happens. */
async function phase(name: string, happens: () => Promise<void> = async () => {}): Promise<void> {
  const [acknowledged, sentAgain] = [writers.acknowledged, writers.sentAgain];
  longestMs = 0;
  const over = new AbortController();
  const happening = async (): Promise<void> => {
    await writers.reached(acknowledged + (lives * WRITES_OF_A_LIFE) / 4);
    await happens();
    over.abort();
  };
  const writing = async (): Promise<void> => {
    do await writers.write(lives, AT_ONCE);
    while (!over.signal.aborted);
  };
  await Promise.all([writing(), happening()]);
  const told = [writers.acknowledged - acknowledged, writers.sentAgain - sentAgain, `${Math.round(longestMs)} ms`];
  rows.push([name, ...told.map(String)]);
}

const refuse = ({ code, out, err }: Ended): string => {
  if (code !== 0) throw new Error(`ended with ${code}: ${out}${err}`);
  return out;
};

await phase('the old one');
await phase('migrated under it', async () => {
  console.log(refuse(await run(mainOf(), 'migrate', '--dry-run')));
  console.log(
    refuse(await run(mainOf(), 'migrate'))
      .trimEnd()
      .split('\n')
      .at(-1),
  );
});
const after = await serve(mainOf());
clients = [clientAt(before), clientAt(after)];
await phase('both');
clients = [clientAt(after)];
await phase('the old one stops', async () => void refuse(await before.program.end('SIGTERM')));
before = await serve(old);
clients = [clientAt(before), clientAt(after)];
await phase('the old one is started again');
clients = [clientAt(before)];
await phase('the way back', async () => void refuse(await after.program.end('SIGTERM')));
await writers.check(clientAt(before));
refuse(await before.program.end('SIGTERM'));
console.log(`${alignRows(rows)}\n\n${refuse(await run(mainOf(), 'verify'))}`);
await database.stop();
rmSync(work, { recursive: true, force: true });
