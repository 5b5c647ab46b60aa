// `npm run upgrade -- --from CHECKOUT`: an upgrade while shops pay, and the way back. A Kassa of an earlier checkout serves
// writers who keep a journal; the database is migrated under it, this Kassa serves beside it, then alone, then the earlier
// one alone again. In the end every answer is held against the books. Prints a table, and ends with 1 if anything differs.
import { join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { startEmbeddedDatabase } from '../../src/database/embedded.ts';
import { alignRows } from '../../src/ops/print.ts';
import { Client } from '../../test/support/client.ts';
import type { Reply } from '../../test/support/client.ts';
import { Writers, WRITES_OF_A_LIFE } from '../../test/support/writers.ts';
import { BadOption, print, runByHand, unlessAborted } from '../by-hand.ts';
import { launch, mainOf, SERVICE_READY, whenReady } from '../program.ts';
import type { Ended, Program } from '../program.ts';

const AT_ONCE = 8;

let longestMs = 0;
class TimedClient extends Client {
  override async send(...request: Parameters<Client['send']>): Promise<Reply> {
    const startedAt = performance.now();
    const reply = await super.send(...request);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    return reply;
  }
}

type Serving = { readonly program: Program; readonly url: string };

const refuse = ({ code, out, err }: Ended): string => {
  if (code !== 0) throw new Error(`ended with ${code}: ${out}${err}`);
  return out;
};

/** Kassas on one database, of this checkout or of another. */
function kassasOn(env: Readonly<Record<string, string>>) {
  const run = (main: string, ...words: string[]): Promise<Ended> =>
    launch(words, { command: [process.execPath, main], env }).ended;
  const serve = async (main: string): Promise<Serving> => {
    // Detached: no Ctrl-C of the terminal reaches it.
    const program = launch(['serve'], { command: [process.execPath, main], env, detached: true });
    return { program, url: `http://127.0.0.1:${await whenReady(program, SERVICE_READY)}` };
  };
  return { run, serve };
}

/** Leads payments through their life, so many at once, and has a row for each phase of it. */
class Phases {
  readonly rows: string[][] = [['PHASE', 'ANSWERED', 'SENT AGAIN', 'LONGEST ANSWER']];
  readonly writers: Writers;
  readonly #lives: number;
  #clients: readonly Client[] = [];
  #asked = 0;

  constructor(lives: number) {
    this.#lives = lives;
    // Whoever is asked next: the steps of one payment go to both.
    const clientFor = (): Client => this.#clients[(this.#asked += 1) % this.#clients.length] as Client;
    this.writers = new Writers({ clientFor });
  }

  /** For as long as something happens. */
  async run(name: string, clients: readonly Client[], happens = async (): Promise<void> => {}): Promise<void> {
    this.#clients = clients;
    const { writers } = this;
    const [acknowledged, sentAgain] = [writers.acknowledged, writers.sentAgain];
    longestMs = 0;
    const over = new AbortController();
    const happening = async (): Promise<void> => {
      await writers.reached(acknowledged + (this.#lives * WRITES_OF_A_LIFE) / 4);
      await happens();
      over.abort();
    };
    const writing = async (): Promise<void> => {
      do await writers.write(this.#lives, AT_ONCE);
      while (!over.signal.aborted);
    };
    await Promise.all([writing(), happening()]);
    const told = [writers.acknowledged - acknowledged, writers.sentAgain - sentAgain, `${Math.round(longestMs)} ms`];
    this.rows.push([name, ...told.map(String)]);
  }
}

async function upgrade(old: string, lives: number): Promise<number> {
  // Not in a folder of its own: Postgres runs as another user where this runs as root.
  const database = await startEmbeddedDatabase({ dataDir: join(tmpdir(), 'database') });
  const env = {
    DATABASE_URL: database.url,
    KASSA_DATA_DIR: join(tmpdir(), 'data'),
    PORT: '0',
    KASSA_LOG_LEVEL: 'warn',
  };
  const { run, serve } = kassasOn(env);
  let before = await serve(old);
  const made = await run(old, 'merchant', 'create', '--name', 'Writers', '--json');
  const { secretKey } = JSON.parse(made.out) as { secretKey: string };
  const clientAt = ({ url }: Serving): Client => new TimedClient(url, secretKey);
  const phases = new Phases(lives);
  await phases.run('the old one', [clientAt(before)]);
  await phases.run('migrated under it', [clientAt(before)], async () => {
    print(refuse(await run(mainOf(), 'migrate', '--dry-run')));
    print(
      refuse(await run(mainOf(), 'migrate'))
        .trimEnd()
        .split('\n')
        .at(-1) ?? '',
    );
  });
  const after = await serve(mainOf());
  await phases.run('both', [clientAt(before), clientAt(after)]);
  await phases.run(
    'the old one stops',
    [clientAt(after)],
    async () => void refuse(await before.program.end('SIGTERM')),
  );
  before = await serve(old);
  await phases.run('the old one is started again', [clientAt(before), clientAt(after)]);
  await phases.run('the way back', [clientAt(before)], async () => void refuse(await after.program.end('SIGTERM')));
  await phases.writers.check(clientAt(before));
  refuse(await before.program.end('SIGTERM'));
  print(`${alignRows(phases.rows)}\n\n${refuse(await run(mainOf(), 'verify'))}`);
  await database.stop();
  return 0;
}

await runByHand('upgrade', (signal) => {
  const { values } = parseArgs({ options: { from: { type: 'string' }, lives: { type: 'string', default: '100' } } });
  if (values.from === undefined) throw new BadOption('Say from which checkout: npm run upgrade -- --from CHECKOUT');
  return unlessAborted(signal, upgrade(mainOf(resolve(values.from)), Number(values.lives)));
});
