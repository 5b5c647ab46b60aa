// A payment under test beside its model: sends commands to the service, and compares answers and the payment as it is
// read with what the reference says.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { aCreate, anItem } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { chargedOf, created, refundedOf, step } from './reference.ts';
import type { Card, Command, Model, Step } from './reference.ts';

const CARDS: Readonly<Record<Card, string>> = {
  approves: '4925000000000004',
  'declines reservation': '4925000000000087',
  'declines charge': '4925000000000079',
  'declines refund': '4000000000005126',
  'declines cancel': '4925000000000061',
};

// oxlint-disable-next-line typescript/no-explicit-any -- responses are inspected field by field
type Json = any;

/** What of a payment is compared. */
type Seen = {
  readonly summary: Readonly<Record<string, number>>;
  readonly order: readonly [amount: number, reference: string, myReference: string | undefined];
  readonly isTerminated: boolean;
  readonly charges: readonly { readonly id: string; readonly amount: number }[];
  readonly refunds: readonly { readonly id: string; readonly amount: number; readonly state: string }[];
};

type Request = { readonly method: 'POST' | 'PUT'; readonly path: string; readonly body: object };

const idIn = ({ body }: Reply): string | undefined => body?.chargeId ?? body?.refundId;

export class PaymentUnderTest {
  model: Model;
  readonly id: string;
  readonly #clients: readonly Client[];

  private constructor(clients: readonly Client[], id: string, model: Model) {
    this.#clients = clients;
    this.id = id;
    this.model = model;
  }

  static async create(clients: readonly Client[], order: number, chargeAtOnce: boolean): Promise<PaymentUnderTest> {
    const body = aCreate(order, { charge: chargeAtOnce });
    const key = { 'idempotency-key': crypto.randomUUID() };
    const replies = await Promise.all(clients.map((client) => client.post('/v1/payments', body, key)));
    const [id, ...others] = new Set(replies.map((reply) => reply.body.paymentId as string));
    assert.deepEqual(others, []);
    return new PaymentUnderTest(clients, id as string, created(order, chargeAtOnce, body.order.reference));
  }

  #requestOf(command: Command, withItems: boolean): Request {
    const path = `/v1/payments/${this.id}`;
    switch (command.name) {
      case 'reserve':
        return { method: 'POST', path: `/v1/sandbox/payments/${this.id}/reserve`, body: { card: CARDS[command.card] } };
      case 'terminate':
        return { method: 'PUT', path: `${path}/terminate`, body: {} };
      case 'reference':
        return { method: 'PUT', path: `${path}/referenceinformation`, body: { reference: command.text } };
      case 'my reference':
        return { method: 'PUT', path: `${path}/myreference`, body: { myReference: command.text } };
      case 'cart':
        return { method: 'PUT', path: `${path}/orderitems`, body: { items: itemsOf(command.amount) } };
      case 'charge':
      case 'cancel':
      case 'refund payment':
      case 'refund': {
        const { amount } = command;
        const body = withItems ? { amount, orderItems: itemsOf(amount) } : { amount };
        const name = command.name === 'refund payment' ? 'refunds' : `${command.name}s`;
        if (command.name !== 'refund') return { method: 'POST', path: `${path}/${name}`, body };
        // A charge that is not there: the payment's own id can never be one.
        const chargeId = this.model.charges[command.charge]?.id ?? this.id;
        return { method: 'POST', path: `/v1/charges/${chargeId}/refunds`, body };
      }
    }
  }

  #send(command: Command, withItems: boolean, key: string | undefined, n: number): Promise<Reply> {
    const { method, path, body } = this.#requestOf(command, withItems);
    const client = this.#clients[n % this.#clients.length] as Client;
    return client.send(method, path, body, key === undefined ? {} : { 'idempotency-key': key });
  }

  /** One command; with a key it is then sent again, which must change nothing, and once with another body. */
  async run(command: Command, options: { withItems: boolean; isKeyed: boolean }): Promise<Reply> {
    const key = options.isKeyed ? crypto.randomUUID() : undefined;
    const reply = await this.#send(command, options.withItems, key, 0);
    const expected = step(this.model, command);
    expectAnswer(reply, expected, command);
    this.model = expected.next(reply.status < 300 ? idIn(reply) : undefined);
    await this.compare();
    if (key !== undefined && 'amount' in command && command.name !== 'cart' && isKept(reply, command.amount))
      await this.#replay(command, options.withItems, key, reply);
    return reply;
  }

  async #replay(
    command: Extract<Command, { amount: number }>,
    withItems: boolean,
    key: string,
    first: Reply,
  ): Promise<void> {
    const again = await this.#send(command, withItems, key, 1);
    assert.deepEqual([again.status, again.text], [first.status, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const other = await this.#send({ ...command, amount: command.amount + 1 }, withItems, key, 1);
    assert.equal(other.status, 422, other.text);
    await this.compare();
  }

  /** Several commands at once: some order of them must explain every answer and the payment afterwards. */
  async runAtOnce(commands: readonly Command[]): Promise<Reply[]> {
    const replies = await Promise.all(commands.map((command, n) => this.#send(command, false, undefined, n)));
    const found = await this.#read();
    const outcome = explain(this.model, commands, replies, (model) =>
      isDeepStrictEqual(showModel(model, found), found),
    );
    const told = replies.map(({ status, text }, n) => `${JSON.stringify(commands[n])}: ${status} ${text}`);
    assert.ok(outcome, `no order of these explains what came of them:\n${told.join('\n')}\n${JSON.stringify(found)}`);
    this.model = outcome;
    await this.compare();
    return replies;
  }

  /** The payment as it is read is the model; ids that the model could not know yet are taken from it. */
  async compare(): Promise<void> {
    const found = await this.#read();
    const { model } = this;
    assert.deepEqual(found, showModel(model, found));
    this.model = {
      ...model,
      charges: model.charges.map((charge, n) => ({ ...charge, id: found.charges[n]?.id ?? '' })),
      refunds: model.refunds.map((refund, n) => ({ ...refund, id: found.refunds[n]?.id ?? '' })),
    };
  }

  async #read(): Promise<Seen> {
    const payment = await (this.#clients[0] as Client).payment(this.id);
    return {
      summary: payment.summary,
      order: [payment.orderDetails.amount, payment.orderDetails.reference, payment.myReference],
      isTerminated: payment.terminated !== undefined,
      charges: payment.charges.map((charge: Json) => ({ id: charge.chargeId, amount: charge.amount })),
      refunds: payment.refunds.map((refund: Json) => ({
        id: refund.refundId,
        amount: refund.amount,
        state: refund.state,
      })),
    };
  }
}

const itemsOf = (amount: number): object[] => [anItem({ grossTotalAmount: amount, netTotalAmount: amount })];

/** What the model says a reader sees; ids that it does not know yet are as they were found. */
function showModel(model: Model, found: Seen): Seen {
  return {
    summary: {
      reservedAmount: model.reserved,
      chargedAmount: chargedOf(model),
      refundedAmount: refundedOf(model),
      cancelledAmount: model.cancelled,
    },
    order: [model.order, model.reference, model.myReference],
    isTerminated: model.isTerminated,
    charges: model.charges.map(({ id, amount }, n) => ({ id: id ?? found.charges[n]?.id ?? '', amount })),
    refunds: model.refunds.map(({ id, amount, state }, n) => ({ id: id ?? found.refunds[n]?.id ?? '', amount, state })),
  };
}

function expectAnswer(reply: Reply, expected: Step, command: Command): void {
  const what = `${JSON.stringify(command)}: ${reply.text}`;
  assert.deepEqual([reply.status, reply.body?.code], [expected.status, expected.code], what);
}

/** Answers that a key keeps: what was done, and refusals decided on the payment; not what the schema refuses. */
const isKept = ({ status }: Reply, amount: number): boolean =>
  status !== 404 && amount >= 1 && amount < 1_000_000_000_000;

/** The payment after some order of the commands in which every answer is right, or undefined. */
function explain(
  model: Model,
  commands: readonly Command[],
  replies: readonly Reply[],
  isRight: (model: Model) => boolean,
): Model | undefined {
  if (commands.length === 0) return isRight(model) ? model : undefined;
  for (const [n, command] of commands.entries()) {
    const reply = replies[n] as Reply;
    const { status, code, next } = step(model, command);
    if (status !== reply.status || code !== reply.body?.code) continue;
    const after = next(status < 300 ? idIn(reply) : undefined);
    const found = explain(after, commands.toSpliced(n, 1), replies.toSpliced(n, 1), isRight);
    if (found) return found;
  }
  return undefined;
}
