// Repeats requests at Kassa, one after the other, and compares the responses with those of the hosted service. What the
// consumer did at the hosted checkout is first done at Kassa. Hooks are left out, so that none is called twice.
import type { Api, ApiAnswer } from '../client.ts';
import { IdPairs } from './id-pairs.ts';
import { compareShapes } from './shape.ts';

/** A request to the hosted service, and its response. */
export type Exchange = {
  readonly method: string;
  /** With query parameters. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sent: string;
  readonly status: number;
  readonly answered: string;
};

export type Compared = {
  readonly method: string;
  /** Without ids and query parameters. */
  readonly route: string;
  readonly hosted: number;
  readonly kassa?: number;
  readonly differences: readonly string[];
  /** Why it was not repeated. */
  readonly skipped?: string;
};

const OF_PAYMENT = /^\/v1\/payments\/([0-9a-f]{32})(\/charges|\/cancels)?\/?$/i;

const routeOf = (path: string): string => (path.split('?')[0] ?? '').replaceAll(/[0-9a-f]{32}/gi, '{id}');

// oxlint-disable-next-line typescript/no-explicit-any -- responses are inspected field by field
type Json = any;

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isReserved = (body: Json): boolean => (body?.payment?.summary?.reservedAmount ?? 0) > 0;
const isGood = (status: number): boolean => status >= 200 && status < 300;

export class Repeater {
  readonly #api: Api;
  readonly #pairs = new IdPairs();

  constructor(api: Api) {
    this.#api = api;
  }

  async repeat(exchange: Exchange): Promise<Compared> {
    const { method, path, status } = exchange;
    const about = { method, route: routeOf(path), hosted: status, differences: [] };
    try {
      const answer = await this.#send(exchange);
      if (typeof answer === 'string') return { ...about, skipped: answer };
      const theirs = parse(exchange.answered);
      if (isGood(status) && isGood(answer.status)) this.#pairs.learn(theirs, answer.body);
      const differences = status === answer.status ? compareShapes(theirs, answer.body) : [];
      return { ...about, kassa: answer.status, differences };
    } catch (error) {
      return { ...about, skipped: (error as Error).message };
    }
  }

  /** The response, or why the request was not repeated. */
  async #send({ method, path, headers, sent, status, answered }: Exchange): Promise<ApiAnswer | string> {
    const { text: ourPath, isKnown } = this.#pairs.translate(path);
    if (!isKnown) return 'it refers to something created earlier';
    const body = parse(sent);
    if (sent !== '' && (typeof body !== 'object' || body === null)) return 'its body is not JSON';
    const { notifications: _untold, ...rest } = body ?? {};
    // References of the shop may look like ids; they stay as they are.
    const { text: ourBody } = this.#pairs.translate(JSON.stringify(Array.isArray(body) ? body : rest));
    const [, paymentId, movement] = OF_PAYMENT.exec(ourPath.split('?')[0] ?? '') ?? [];
    const isPaid = movement === undefined ? isReserved(parse(answered)) : isGood(status);
    if (paymentId !== undefined && isPaid) await this.#reserve(paymentId);
    return this.#api.send(method, ourPath, sent === '' ? undefined : parse(ourBody), headers);
  }

  /** Reserves the payment here, as the consumer has paid at the hosted checkout. */
  async #reserve(paymentId: string): Promise<void> {
    const { body } = await this.#api.send('GET', `/v1/payments/${paymentId}`);
    if (!isReserved(body)) await this.#api.send('POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
  }
}
