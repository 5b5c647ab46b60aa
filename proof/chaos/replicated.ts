// The Postgres of a run: a primary and a synchronous standby. Either can be away for a while, whoever waits for the standby
// can be interrupted, and the primary can be lost for good and the standby take its place. Which of the two it is that
// takes writes changes, so whoever uses it goes over a wire.
import { setTimeout as sleep } from 'node:timers/promises';
import { startPrimaryWithStandby } from '../../test/support/standby.ts';
import type { PrimaryWithStandby, Server } from '../../test/support/standby.ts';

/** How a commit is interrupted that waits for the standby. */
export type Interruption = 'nothing' | 'backend terminated' | 'primary restarted';

const LOOK_EVERY_MS = 20;
// There is always somebody who writes.
const LONGEST_WAIT_MS = 3_000;
const START_AGAIN_AFTER_MS = 200;
const MOST_STARTS = 100;
const TERMINATE = "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";

/** Those of its processes that were left behind by a kill let go of its memory a little later. */
async function startAgain(server: Server): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await server.start();
    } catch (error) {
      if (tries === MOST_STARTS) throw error;
      await sleep(START_AGAIN_AFTER_MS);
    }
  }
}

export class Replicated {
  readonly #pair: PrimaryWithStandby;
  readonly #onPort: (port: number | undefined) => void;
  /** Takes writes; after a promotion it is what was the standby. */
  #leader: Server;

  private constructor(pair: PrimaryWithStandby, onPort: (port: number | undefined) => void) {
    this.#pair = pair;
    this.#onPort = onPort;
    this.#leader = pair.primary;
    onPort(this.#leader.port);
  }

  static async open(onPort: (port: number | undefined) => void): Promise<Replicated> {
    return new Replicated(await startPrimaryWithStandby(), onPort);
  }

  /** Of the server that takes writes now. */
  get url(): string {
    return this.#leader.url;
  }

  /** The same database at another port. */
  urlAt(port: number): string {
    const url = new URL(this.url);
    url.port = String(port);
    return url.href;
  }

  async kill(): Promise<void> {
    this.#onPort(undefined);
    await this.#leader.stop('SIGKILL');
  }

  async start(): Promise<void> {
    await startAgain(this.#leader);
    this.#onPort(this.#leader.port);
  }

  async loseStandby(): Promise<void> {
    await this.#pair.standby.stop('SIGKILL');
  }

  async findStandby(): Promise<void> {
    await startAgain(this.#pair.standby);
    await this.#pair.synchronized();
  }

  /** Returns when a commit waits for the standby, which must be away, and was interrupted. */
  async interrupt(how: Interruption): Promise<void> {
    const deadline = performance.now() + LONGEST_WAIT_MS;
    while (!(await this.#pair.isWaiting()) && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
    if (how === 'backend terminated') await this.#leader.query(TERMINATE);
    if (how !== 'primary restarted') return;
    await this.kill();
    await this.start();
  }

  /** The primary is lost for good, and the standby, which may lack what nobody was to be told of, takes its place. */
  async failOver(): Promise<void> {
    await this.kill();
    await startAgain(this.#pair.standby);
    await this.#pair.promote();
    this.#leader = this.#pair.standby;
    this.#onPort(this.#leader.port);
  }

  /** A new standby for whoever was promoted: for a moment there is nobody. */
  async renewStandby(): Promise<void> {
    this.#onPort(undefined);
    await this.#pair.renew();
    this.#onPort(this.#leader.port);
  }

  close(): Promise<void> {
    return this.#pair.close();
  }
}
