// The other merchant, in a process of its own: create, reserve, read and charge on a few connections at a moderate and
// steady pace. Each connection waits for its answer before it goes on, and does not catch up on what it missed: what is
// measured is how long one request takes, and not how a row of them piles up.
import { setInterval, setTimeout as sleep } from 'node:timers/promises';
import { Histogram } from '../histogram.ts';
import { HttpConnection } from '../http-connection.ts';
import { watchProcessors } from '../../processors.ts';
import type { Measured, VictimPlan, VictimResult } from './victim-plan.ts';

const ANSWER_LIMIT_MS = 30_000;
const ID_LENGTH = 32;
const SECOND_MS = 1_000;
// Of all processors, in a second that counts.
const MOST_STOLEN = 0.02;
type Answer = { readonly status: number; readonly id: string };

const NOTHING: Answer = { status: 0, id: '' };

/** The first id in an answer: {"paymentId":"…"}. */
function idIn(bytes: Buffer, bodyStart: number): string {
  const start = bytes.indexOf('Id":"', bodyStart, 'latin1') + 5;
  return bytes.toString('latin1', start, start + ID_LENGTH);
}

/** One request at a time; a connection that breaks is opened again for the next one. */
class Asker {
  readonly #port: number;
  #connection: HttpConnection | undefined;
  #answered: (answer: Answer) => void = () => {};

  constructor(port: number) {
    this.#port = port;
  }

  async ask(request: string): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const late = setTimeout(() => this.#break(), ANSWER_LIMIT_MS);
    this.#answered = resolve;
    try {
      // Whoever is busy may not even take a connection.
      if (this.#connection === undefined) await Promise.race([this.#connect(), promise]);
      this.#connection?.send(request);
      return await promise;
    } catch {
      return NOTHING;
    } finally {
      clearTimeout(late);
    }
  }

  close(): void {
    this.#connection?.close();
  }

  async #connect(): Promise<void> {
    const connection = await HttpConnection.open(this.#port);
    this.#connection?.close();
    this.#connection = connection;
    connection.listen(
      (status, bytes, bodyStart) => this.#answered({ status, id: idIn(bytes, bodyStart) }),
      () => this.#break(),
    );
  }

  #break(): void {
    this.#connection?.close();
    this.#connection = undefined;
    this.#answered(NOTHING);
  }
}

/** What was noticed, second by second: one in which the processors were taken, or that follows such a one, is left out. */
class Notes {
  readonly #histograms = { create: new Histogram(), read: new Histogram(), charge: new Histogram() };
  readonly #requests = { create: 0, read: 0, charge: 0 };
  readonly #refused: Record<Measured, Record<number, number>> = { create: {}, read: {}, charge: {} };
  readonly #processors = watchProcessors();
  #inThisSecond: (readonly [Measured, number])[] = [];
  #wasTaken = false;
  seconds = 0;
  leftOut = 0;

  noteLatency(kind: Measured, ms: number): void {
    this.#inThisSecond.push([kind, ms]);
  }

  noteRefusal(kind: Measured, status: number): void {
    const statuses = this.#refused[kind];
    statuses[status] = (statuses[status] ?? 0) + 1;
  }

  endSecond(): void {
    const isTaken = this.#processors().stolen > MOST_STOLEN;
    if (isTaken || this.#wasTaken) this.leftOut += 1;
    else {
      this.seconds += 1;
      for (const [kind, ms] of this.#inThisSecond) {
        this.#requests[kind] += 1;
        this.#histograms[kind].record(ms * 1_000);
      }
    }
    this.#wasTaken = isTaken;
    this.#inThisSecond = [];
  }

  get result(): VictimResult {
    const { create, read, charge } = this.#histograms;
    return {
      seconds: this.seconds,
      leftOut: this.leftOut,
      counts: { create: create.counts, read: read.counts, charge: charge.counts },
      requests: this.#requests,
      refused: this.#refused,
    };
  }
}

async function suffer(plan: VictimPlan): Promise<VictimResult> {
  const state: { notes?: Notes; isOver: boolean } = { isOver: false };
  const live = async (n: number): Promise<void> => {
    const asker = new Asker(plan.port);
    const ids = { nothing: '', payment: '', charge: '' };
    // Connections take turns.
    let dueAt = performance.now() + (n * plan.everyMs) / plan.connections;
    for (let at = 0; !state.isOver; dueAt = Math.max(dueAt + plan.everyMs, performance.now()), at += 1) {
      const early = dueAt - performance.now();
      if (early > 0) await sleep(early);
      const step = plan.steps[at % plan.steps.length] as VictimPlan['steps'][number];
      const request = step.before + ids[step.names] + step.after;
      const sentAt = performance.now();
      const { status, id } = await asker.ask(request);
      // Whoever was sent before measuring began and waited until now counts: that is what a stall looks like.
      if (status !== step.status) state.notes?.noteRefusal(step.measuredAs ?? 'charge', status);
      if (step.measuredAs !== undefined) state.notes?.noteLatency(step.measuredAs, performance.now() - sentAt);
      // What was refused has no sequel: it goes on with the next life.
      if (status !== step.status) at += plan.steps.length - 1 - (at % plan.steps.length);
      else if (step.gives !== undefined) ids[step.gives] = id;
    }
    asker.close();
  };
  const lives = Promise.all(Array.from({ length: plan.connections }, (_, n) => live(n)));
  await sleep(plan.warmUpMs);
  const notes = new Notes();
  state.notes = notes;
  for await (const _ of setInterval(SECOND_MS)) {
    notes.endSecond();
    if (notes.seconds >= plan.seconds || notes.seconds + notes.leftOut >= plan.mostSeconds) break;
  }
  state.isOver = true;
  await lives;
  return notes.result;
}

process.on('message', (plan: VictimPlan) => {
  suffer(plan)
    .then((told) => process.send?.(told))
    .catch(() => process.exit(1));
});
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
