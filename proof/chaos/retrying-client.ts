// How a careful merchant asks: with one key for one operation, again and again with growing pauses until the answer
// says what became of it, at whichever of the two services. An answer that was lost is never taken for a no.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal, Life, Outcome, Operation } from './journal.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are inspected field by field
type Json = any;

export type Reply = { readonly status: number; readonly text: string; readonly body: Json };

/** What a request brings besides its path. */
export type Request = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
};

const FIRST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 2_000;
// Some clients wait long, others ask again while the first request is still under way.
const TIMEOUTS_MS = [1_500, 5_000, 15_000, 30_000] as const;
const LONGEST_SHOWN = 300;

/** Success by kind, and where the answer holds the id of what was made. */
const GRANTED = {
  create: { status: 201, id: 'paymentId' },
  charge: { status: 201, id: 'chargeId' },
  refund: { status: 201, id: 'refundId' },
  cancel: { status: 204, id: undefined },
  renewal: { status: 200, id: 'chargeId' },
} as const;

/** The life of this payment makes no sense any more; why is a finding already. */
export class GivenUp extends Error {}

export class RetryingClient {
  readonly journal: Journal;
  readonly random: Random;
  readonly #world: World;
  readonly #signal: AbortSignal;
  readonly #longestPauseMs: number;

  constructor(
    world: World,
    journal: Journal,
    random: Random,
    signal: AbortSignal,
    longestPauseMs: number = LONGEST_PAUSE_MS,
  ) {
    this.#longestPauseMs = longestPauseMs;
    this.#world = world;
    this.journal = journal;
    this.random = random;
    this.#signal = signal;
  }

  get shop(): World['shop'] {
    return this.#world.shop;
  }

  get hookUrl(): string {
    return this.#world.eventEndpoints.hookUrl;
  }

  /** The pause before the next try: longer each time, and never quite the same. */
  async pause(tries: number): Promise<void> {
    const ms = Math.min(this.#longestPauseMs, FIRST_PAUSE_MS * 1.7 ** tries) * (0.5 + this.random.next());
    await sleep(ms, undefined, { signal: this.#signal });
  }

  /** One request to one of the services; undefined when no answer came. */
  async send(life: Life, request: Request, wanted = this.random.between(0, 1)): Promise<Reply | undefined> {
    const kassa = await this.#chooseKassa(wanted);
    const { method, path, body, headers } = request;
    const url = this.#world.kassas[kassa]?.url;
    const key = headers?.['idempotency-key'];
    const asked = `kassa ${kassa + 1} ${method} ${path}${key ? ` [${key}]` : ''}`;
    this.journal.requests += 1;
    this.journal.note(`${asked} ${body && key ? JSON.stringify(body) : ''}`, life.n);
    const begin = performance.now();
    const took = (): string => `${(performance.now() - begin).toFixed(0)} ms`;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(this.random.choose(TIMEOUTS_MS))]),
      });
      const text = await response.text();
      this.journal.note(`${asked} → ${response.status} ${text.slice(0, LONGEST_SHOWN)} (${took()})`, life.n);
      return { status: response.status, text, body: readJson(text) };
    } catch (error) {
      this.#signal.throwIfAborted();
      const { message, cause } = error as Error & { cause?: { code?: string } };
      this.journal.note(`${asked} → no answer: ${cause?.code ?? message} (${took()})`, life.n);
      return undefined;
    }
  }

  /** The wanted one or, when that is down, the other, as a load balancer does it; waits when both are. */
  async #chooseKassa(wanted: number): Promise<number> {
    for (;;) {
      this.#signal.throwIfAborted();
      const found = [wanted, 1 - wanted].find((n) => this.#world.kassas[n]?.url !== undefined);
      if (found !== undefined) return found;
      await sleep(FIRST_PAUSE_MS, undefined, { signal: this.#signal });
    }
  }

  /** With the merchant's key; reads until there is an answer. */
  async read(life: Life, path: string, headers: Readonly<Record<string, string>> = this.#authorized()): Promise<Json> {
    for (let tries = 0; ; tries += 1) {
      const reply = await this.send(life, { method: 'GET', path, headers });
      if (reply?.status === 200) return reply.body;
      if (reply && reply.status !== 503) {
        const kind = reply.status === 404 ? 'lost' : 'defect';
        this.journal.find(kind, `GET ${path} is answered ${reply.status} ${reply.text}`, life.n);
        throw new GivenUp(path);
      }
      await this.pause(tries);
    }
  }

  post(life: Life, path: string, body: object, kassa?: number, key?: string): Promise<Reply | undefined> {
    const headers = key === undefined ? this.#authorized() : this.withKey(key);
    return this.send(life, { method: 'POST', path, body, headers }, kassa);
  }

  /** Asks until it is known what became of the operation; now and then at both services at once. */
  async execute(life: Life, operation: Operation): Promise<Operation> {
    life.operations.push(operation);
    const isTwin = this.random.chance(0.1);
    for (let tries = 0; operation.outcome === 'open'; tries += 1) {
      if (tries > 0) {
        this.journal.retries += 1;
        await this.pause(tries);
      }
      if (tries === 0 && isTwin) await Promise.all([this.ask(life, operation, 0), this.ask(life, operation, 1)]);
      else await this.ask(life, operation);
    }
    if (!isRight(operation))
      this.journal.find(
        'wrong answer',
        `${operation.key} is ${operation.outcome}, and must be ${operation.expected}`,
        life.n,
      );
    return operation;
  }

  /** Asks once, and notes what the answer says of the operation. */
  async ask(life: Life, operation: Operation, kassa?: number): Promise<void> {
    const reply = await this.post(life, operation.path, operation.body, kassa, operation.key);
    const outcome = this.#readOutcome(life, operation, reply);
    if (outcome === 'open') {
      if (reply?.status !== 503 || reply.text.includes('not known')) this.journal.unknown.add(operation);
      return;
    }
    if (operation.outcome !== 'open' && outcome !== operation.outcome)
      this.journal.find(
        'wrong answer',
        `${operation.key} was ${operation.outcome}, and is ${outcome} when asked again`,
        life.n,
      );
    if (outcome === 'granted' && operation.outcome === 'open') this.journal.grantedAtMs.push(performance.now());
    operation.outcome = outcome;
    operation.status = reply?.status ?? 0;
  }

  /** With a key, to ask about what it named. */
  withKey(key: string): Record<string, string> {
    return { ...this.#authorized(), 'idempotency-key': key };
  }

  #authorized(): Record<string, string> {
    return { authorization: this.shop.secretKey };
  }

  /** The payment that a charge of a subscription made, also when it was declined: the same whenever it is told. */
  #notePayment(life: Life, text: string): void {
    const paymentId = /(?:"paymentId":"|payment id: )([0-9a-f]{32})/.exec(text)?.[1];
    if (paymentId === undefined) return;
    life.paymentId ??= paymentId;
    if (life.paymentId !== paymentId)
      this.journal.find('doubled', `it was payment ${life.paymentId}, and is ${paymentId}`, life.n);
  }

  #readOutcome(life: Life, operation: Operation, reply: Reply | undefined): Outcome {
    if (reply === undefined) return 'open';
    const { status, text, body } = reply;
    if (operation.kind === 'renewal' && (status === 200 || status === 402)) this.#notePayment(life, text);
    const granted = GRANTED[operation.kind];
    if (status === granted.status) {
      if (granted.id !== undefined) operation.ids.add(String(body?.[granted.id]));
      if (operation.ids.size > 1)
        this.journal.find('doubled', `${operation.key} was answered with ${[...operation.ids].join(' and ')}`, life.n);
      return 'granted';
    }
    if (status === 503 || status === 409) return 'open';
    if (status === 500) {
      if (!text.includes('being determined'))
        this.journal.find('defect', `${operation.key}: ${status} ${text}`, life.n);
      return 'open';
    }
    const isDeclined = body?.source === 'bank' || body?.source === 'Issuer' || body?.errors?.refund !== undefined;
    if (isDeclined) return 'declined';
    if (status === 400 || status === 402 || status === 405) return 'refused';
    this.journal.find('wrong answer', `${operation.key}: ${status} ${text}`, life.n);
    return 'refused';
  }
}

/** A refund may be accepted first and declined later; what came of it is the judge's matter then. */
const isRight = ({ kind, outcome, expected }: Operation): boolean =>
  outcome === expected || (kind === 'refund' && expected === 'declined' && outcome === 'granted');

function readJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
