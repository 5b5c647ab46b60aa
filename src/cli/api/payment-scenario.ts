// Takes a test payment through a scenario with the API, and checks that the event was recorded.
import { setTimeout as sleep } from 'node:timers/promises';
import { showAmount } from '../../domain/currency.ts';
import type { PaymentEventName } from '../../domain/decision.ts';
import type { Api, ApiAnswer } from './client.ts';
import { UserError } from '../../ops/user-error.ts';

type Move = 'charge' | 'refund' | 'cancel';

export type Scenario = {
  readonly card: string;
  /** The operations after the reservation. */
  readonly moves: readonly Move[];
  /** The operation that the test card declines. */
  readonly declined?: 'reserve' | Move;
  /** More fields of the request that creates the payment. */
  readonly asked?: { readonly subscription: object };
};

/** One request and its result. */
export type Step = { readonly request: string; readonly status: number; readonly what: string };

export type ScenarioResult = {
  readonly paymentId: string;
  readonly steps: readonly Step[];
  readonly events: readonly string[];
};

const AMOUNT = 10_000;
const CURRENCY = 'SEK';
const ORDER = {
  items: [
    {
      reference: 'mug',
      name: 'Mug',
      quantity: 2,
      unit: 'pcs',
      unitPrice: 4_000,
      taxRate: 2_500,
      taxAmount: 2_000,
      netTotalAmount: 8_000,
      grossTotalAmount: AMOUNT,
    },
  ],
  amount: AMOUNT,
  currency: CURRENCY,
  reference: 'kassa-trigger',
};
const CREATE = { order: ORDER, checkout: { url: 'https://shop.example/checkout' } };

const DONE = { reserve: 'reserved', charge: 'charged', refund: 'refunded', cancel: 'cancelled' } as const;
const DECLINED = {
  reserve: 'reservation declined',
  charge: 'charge declined',
  refund: 'refund declined',
  cancel: 'cancel declined',
} as const;

// A remote acquirer may decide after its response.
const EVENT_TRIES = 50;
const EVENT_POLL_MS = 200;

const isOk = ({ status }: ApiAnswer): boolean => status >= 200 && status < 300;

/** Polls until the payment has the event. */
async function awaitEvent(api: Api, paymentId: string, name: PaymentEventName): Promise<string[]> {
  for (let tries = 1; ; tries += 1) {
    const answer = await api.send('GET', `/v1/events?paymentId=${paymentId}&limit=100`);
    if (!isOk(answer) || !Array.isArray(answer.body.events)) throw api.explain(answer);
    const events = (answer.body.events as { event: string }[]).map(({ event }) => event);
    if (events.includes(name)) return events;
    if (tries === EVENT_TRIES)
      throw new UserError(`Payment ${paymentId} has no event ${name}: does its merchant use the simulator?`);
    await sleep(EVENT_POLL_MS);
  }
}

export async function runScenario(api: Api, scenario: Scenario, name: PaymentEventName): Promise<ScenarioResult> {
  const steps: Step[] = [];
  let chargeId = '';

  /** Sends one step, and checks that it succeeds or is declined as the scenario says. */
  async function take(
    kind: 'create' | keyof typeof DONE,
    path: string,
    body: object,
    what: string,
  ): Promise<ApiAnswer> {
    const answer = await api.send('POST', path, body);
    const isDeclined = kind === scenario.declined;
    if (isOk(answer) === isDeclined || (isDeclined && answer.status >= 500)) {
      if (!isOk(answer)) throw api.explain(answer);
      throw new UserError(`${path} was not declined: does the merchant use the simulator?`);
    }
    steps.push({ request: `POST ${path}`, status: answer.status, what });
    return answer;
  }

  const created = await take(
    'create',
    '/v1/payments',
    { ...CREATE, ...scenario.asked },
    `created, ${showAmount(AMOUNT, CURRENCY)}`,
  );
  const paymentId = created.body?.paymentId as string | undefined;
  if (paymentId === undefined) throw api.explain(created);
  const sayOf = (kind: keyof typeof DONE): string => (kind === scenario.declined ? DECLINED : DONE)[kind];
  const withCard = `${sayOf('reserve')}, with the test card ${scenario.card}`;
  await take('reserve', `/v1/sandbox/payments/${paymentId}/reserve`, { card: scenario.card }, withCard);
  for (const move of scenario.moves) {
    const path = move === 'refund' ? `/v1/charges/${chargeId}/refunds` : `/v1/payments/${paymentId}/${move}s`;
    const { body } = await take(move, path, { amount: AMOUNT }, sayOf(move));
    if (move === 'charge') chargeId = (body?.chargeId as string | undefined) ?? '';
  }
  return { paymentId, steps, events: await awaitEvent(api, paymentId, name) };
}
