// A client of the API as a merchant's backend has one: plain HTTP, JSON in and out, nothing hidden.
import { noteExchange } from './exchanges.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are inspected field by field
type Json = any;

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of the body; undefined when there is no body or it is not JSON. */
  readonly body: Json;
};

export type Order = { items: Json[]; amount: number; currency: string; reference?: string };

export const anItem = (changes: object = {}): Json => ({
  reference: 'sneaky-1',
  name: 'Sneakers',
  quantity: 2,
  unit: 'pair',
  unitPrice: 40_000,
  taxRate: 2_500,
  taxAmount: 20_000,
  grossTotalAmount: 100_000,
  netTotalAmount: 80_000,
  ...changes,
});

/** An order of one item, of the given amount. */
export const anOrder = (amount = 100_000, changes: object = {}): Order => ({
  items: [anItem({ grossTotalAmount: amount })],
  amount,
  currency: 'SEK',
  reference: 'order-1',
  ...changes,
});

export const aCreate = (amount = 100_000, checkout: object = {}): Json => ({
  order: anOrder(amount),
  checkout: { url: 'https://shop.example/checkout', ...checkout },
});

export class Client {
  readonly url: string;
  readonly secretKey: string | undefined;

  constructor(url: string, secretKey?: string) {
    this.url = url;
    this.secretKey = secretKey;
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.secretKey !== undefined && { authorization: this.secretKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    noteExchange(`${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`, `${response.status} ${text}`);
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  }

  get = (path: string, headers?: Record<string, string>): Promise<Reply> => this.send('GET', path, undefined, headers);

  post = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
    this.send('POST', path, body, headers);

  put = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
    this.send('PUT', path, body, headers);

  /** Sends, and throws unless the status is the expected one: for the steps that lead up to what a test is about. */
  async must(status: number, method: string, path: string, body?: unknown): Promise<Json> {
    const reply = await this.send(method, path, body);
    if (reply.status !== status) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  }

  async create(amount = 100_000, checkout: object = {}): Promise<string> {
    return (await this.must(201, 'POST', '/v1/payments', aCreate(amount, checkout))).paymentId;
  }

  /** A payment that is reserved; with a card number, with that card. */
  async createReserved(amount = 100_000, card?: string): Promise<string> {
    const paymentId = await this.create(amount);
    await this.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, card === undefined ? {} : { card });
    return paymentId;
  }

  async charge(paymentId: string, amount: number): Promise<string> {
    return (await this.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount })).chargeId;
  }

  async refund(chargeId: string, amount: number): Promise<string> {
    return (await this.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, { amount })).refundId;
  }

  async cancel(paymentId: string, amount: number): Promise<void> {
    await this.must(204, 'POST', `/v1/payments/${paymentId}/cancels`, { amount });
  }

  async payment(paymentId: string): Promise<Json> {
    return (await this.must(200, 'GET', `/v1/payments/${paymentId}`)).payment;
  }
}
