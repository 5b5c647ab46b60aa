// The connections of the open-loop client: one request under way on each, more of them as requests wait, and a line of
// requests for which there is none.
import { HttpConnection } from '../http-connection.ts';
import type { OpenPlan } from './open-plan.ts';

const FIRST_CONNECTIONS = 64;
// Connections without an answer so far: a service that is busy takes new ones late, and with no bound some were reset.
const MOST_NEW = 256;

export type Request = { readonly n: number; readonly dueAt: number; sentAt: number };

/** Connections that are there, and more as long as there may be more. */
export class Senders {
  readonly #plan: OpenPlan;
  readonly #free: ((request: Request) => void)[] = [];
  readonly #waiting: Request[] = [];
  #waitingFrom = 0;
  #open = 0;
  #new = 0;
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
    await Promise.all(Array.from({ length: Math.min(FIRST_CONNECTIONS, this.#plan.connections) }, () => this.#add()));
  }

  send(request: Request): void {
    const free = this.#free.pop();
    if (free !== undefined) return free(request);
    this.#waiting.push(request);
    this.#grow();
  }

  /** One connection more, where requests wait and there may be one. */
  #grow(): void {
    const isWaiting = this.#waitingFrom < this.#waiting.length;
    if (isWaiting && !this.#isOver && this.#open < this.#plan.connections && this.#new < MOST_NEW)
      this.#add().catch(() => {});
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
    this.#open += 1;
    this.#new += 1;
    const connection = await HttpConnection.open(this.#plan.port).catch((error: unknown) => {
      this.#open -= 1;
      this.#new -= 1;
      throw error;
    });
    let isNew = true;
    const isKnown = (): void => {
      if (isNew) this.#new -= 1;
      isNew = false;
    };
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
        isKnown();
        if (request !== undefined) this.#onAnswer(request, status, bytes, bodyStart);
        goOn();
        this.#grow();
      },
      ({ message }) => {
        connection.close();
        this.#open -= 1;
        isKnown();
        this.#connections.delete(connection);
        const at = this.#free.indexOf(send);
        if (at !== -1) this.#free.splice(at, 1);
        const request = end();
        if (request !== undefined && !this.#isOver) this.#onBroken(request, message);
        this.#grow();
      },
    );
    goOn();
  }
}
