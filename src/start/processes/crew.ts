// The serving processes of a supervisor. Crashed processes are restarted; a rolling restart replaces all of them one by
// one, each by a process that serves before the old one stops.
import type { Log } from '../../ops/log.ts';
import { countDeaths, isHopeless, pauseAfter } from './backoff.ts';
import type { Life } from './life.ts';
import type { Address, Stop } from './messages.ts';

export type CrewOptions = {
  readonly size: number;
  readonly log: Log;
  readonly begin: (number: number, isFirst: boolean) => Life;
  /** Called at the end of every process; `isDeath` for a crash. */
  readonly onEnded: (life: Life, isDeath: boolean) => void;
  /** Called when no process serves any more and further restarts are pointless. */
  readonly onHopeless: () => void;
  /** How long a replacement may take to serve before the old process is kept. */
  readonly replaceWithinMs: number;
};

type Slot = { life: Life; deaths: number };

export class Crew {
  readonly #options: CrewOptions;
  readonly #slots: Slot[] = [];
  /** All running processes, including those being replaced. */
  readonly #lives = new Set<Life>();
  /** Processes that were asked to stop. */
  readonly #stopped = new WeakSet<Life>();
  readonly #stopping = new AbortController();
  #replacing: Promise<void> | undefined;
  #isAskedAgain = false;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  lives(): Life[] {
    return [...this.#lives];
  }

  /** The first process prepares what all need, such as the schema. `address` is undefined if it ended before it served. */
  async startFirst(): Promise<{ readonly life: Life; readonly address: Address | undefined }> {
    const life = this.#begin(1, true);
    const address = await life.ready;
    if (address) this.#keep({ life, deaths: 0 });
    return { life, address };
  }

  async startOthers(): Promise<void> {
    for (let number = 2; number <= this.#options.size && !this.#isStopping(); number += 1)
      this.#keep({ life: this.#begin(number), deaths: 0 });
    await Promise.all(this.#slots.map(({ life }) => life.ready));
  }

  /** Replaces all processes. A request during a replacement starts another one afterwards. */
  replaceAll(): Promise<void> {
    this.#isAskedAgain = this.#replacing !== undefined;
    this.#replacing ??= this.#replaceEach()
      .finally(() => (this.#replacing = undefined))
      .then(() => (this.#isAskedAgain ? this.replaceAll() : undefined));
    return this.#replacing;
  }

  async stop(how: Stop): Promise<void> {
    this.#stopping.abort();
    for (const life of this.#lives) this.#stopOne(life, how);
    await Promise.all([...this.#lives].map(({ ended }) => ended));
  }

  killAll(): void {
    this.#stopping.abort();
    for (const life of this.#lives) life.kill();
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #stopOne(life: Life, how: Stop): void {
    this.#stopped.add(life);
    life.stop(how);
  }

  #begin(number: number, isFirst = false): Life {
    const life = this.#options.begin(number, isFirst);
    this.#lives.add(life);
    void life.ended.then(({ code }) => {
      this.#lives.delete(life);
      // A process that was sent a SIGTERM exits with 0 and is not a crash.
      this.#options.onEnded(life, !this.#stopped.has(life) && code !== 0);
    });
    return life;
  }

  #keep(slot: Slot): void {
    this.#slots.push(slot);
    void this.#watch(slot, slot.life);
  }

  /** Restarts the process whenever it ends, until it is replaced. */
  async #watch(slot: Slot, life: Life): Promise<void> {
    const { code, signal } = await life.ended;
    if (this.#isStopping() || slot.life !== life) return;
    const { logger } = this.#options.log;
    const since = life.readySince();
    slot.deaths = code === 0 ? 0 : countDeaths(slot.deaths, since === undefined ? 0 : performance.now() - since);
    const others = this.#slots.filter((other) => other.life.isServing()).length;
    if (isHopeless(slot.deaths, others)) return this.#options.onHopeless();
    const inMs = pauseAfter(slot.deaths);
    const how = { number: life.number, pid: life.pid, code, signal, deaths: slot.deaths, others, inMs };
    if (code === 0) logger.info(how, 'a process exited; restarting it');
    else logger.error(how, 'a process crashed; restarting it');
    await this.#pause(inMs);
    if (this.#isStopping() || slot.life !== life) return;
    slot.life = this.#begin(life.number);
    void this.#watch(slot, slot.life);
  }

  async #replaceEach(): Promise<void> {
    const { logger } = this.#options.log;
    logger.info('rolling restart of the processes');
    for (const slot of this.#slots) {
      if (this.#isStopping()) return;
      const next = this.#begin(slot.life.number);
      if (!(await this.#isServingInTime(next))) {
        if (this.#isStopping()) return;
        this.#stopped.add(next);
        next.kill();
        return logger.error({ number: next.number }, 'a new process did not become ready; keeping the old ones');
      }
      const old = slot.life;
      slot.life = next;
      slot.deaths = 0;
      void this.#watch(slot, next);
      this.#stopOne(old, { isReplaced: true });
      await old.ended;
    }
    logger.info('rolling restart completed');
  }

  async #isServingInTime(life: Life): Promise<boolean> {
    return (await Promise.race([life.ready, this.#pause(this.#options.replaceWithinMs)])) !== undefined;
  }

  /** Ends early on shutdown. The timer keeps the supervisor alive while all processes wait for their restart. */
  async #pause(ms: number): Promise<undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { signal } = this.#stopping;
    const end = (): void => resolve(undefined);
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    return undefined;
  }
}
