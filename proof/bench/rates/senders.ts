// The connections of the open-loop client, as of a proxy's pool: one request under way on each, and a line of requests for
// which there is none.
import { HttpConnection } from '../http-connection.ts';
import type { OpenPlan } from './open-plan.ts';

// Opened at once, before anything is sent: a service that is busy takes new ones late, one in a turn of its loop.
const OPENED_AT_ONCE = 64;

export type Request = { readonly n: number; readonly dueAt: number; sentAt: number };

export class Senders {
  readonly #plan: OpenPlan;
  readonly #free: ((request: Request) => void)[] = [];
  readonly #waiting: Request[] = [];
  #waitingFrom = 0;
  #busy = 0;
  #isOver = false;
  readonly #connections = new Set<HttpConnection>();
  mostBusy = 0;
  readonly #onAnswer: (request: Request, status: number, bytes: Buffer, bodyStart: number) => void;
  readonly #onBroken: (request: Request, why: string) => void;

  constructor(
    plan: OpenPlan,
    onAnswer: (request: Request, status: number, bytes: Buffer, bodyStart: number) => void,
    onBroken: (request: Request, why: string) => void,
  ) {
    this.#plan = plan;
    this.#onAnswer = onAnswer;
    this.#onBroken = onBroken;
  }

  async begin(): Promise<void> {
    for (let left = this.#plan.connections; left > 0; left -= OPENED_AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(OPENED_AT_ONCE, left) }, () => this.#add()));
  }

  send(request: Request): void {
    const free = this.#free.pop();
    if (free !== undefined) return free(request);
    this.#waiting.push(request);
  }

  close(): void {
    this.#isOver = true;
    for (const connection of this.#connections) connection.close();
  }

  #next(): Request | undefined {
    const request = this.#waiting[this.#waitingFrom];
    if (request !== undefined) this.#waitingFrom += 1;
    return request;
  }

  async #add(): Promise<void> {
    const connection = await HttpConnection.open(this.#plan.port);
    this.#connections.add(connection);
    let current: Request | undefined;
    const { before, after, ids } = this.#plan;
    const send = (request: Request): void => {
      current = request;
      request.sentAt = performance.now();
      this.#busy += 1;
      this.mostBusy = Math.max(this.mostBusy, this.#busy);
      connection.send(before + (ids[request.n % ids.length] as string) + after);
    };
    const goOn = (): void => {
      const waiting = this.#next();
      if (waiting === undefined) this.#free.push(send);
      else send(waiting);
    };
    const end = (): Request | undefined => {
      const request = current;
      if (request !== undefined) this.#busy -= 1;
      current = undefined;
      return request;
    };
    connection.listen(
      (status, bytes, bodyStart) => {
        const request = end();
        if (request !== undefined) this.#onAnswer(request, status, bytes, bodyStart);
        goOn();
      },
      ({ message }) => {
        connection.close();
        this.#connections.delete(connection);
        const at = this.#free.indexOf(send);
        if (at !== -1) this.#free.splice(at, 1);
        const request = end();
        if (request !== undefined && !this.#isOver) this.#onBroken(request, message);
      },
    );
    goOn();
  }
}
