// The calls of the page to its service. An answer that never came is `undefined`: whoever asked must then find out what
// happened, because a payment may have been made all the same.
import { pageData } from './page-data.ts';

export type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** Where the payment stands, as the service knows it. */
export type Standing = {
  readonly state: string;
  readonly amount: number;
  readonly shippingCostMissing: boolean;
  /** The bank, or an app, waits for the consumer. */
  readonly confirming: boolean;
  readonly lastTry?: 'declined' | 'challenge_failed' | 'declined_in_app';
};

// A bank may think for half a minute. After this the connection counts as lost, and the page begins to ask.
const ANSWER_TIMEOUT_MS = 45_000;

async function call(path: string, body?: unknown): Promise<Answer | undefined> {
  const { root = '', paymentId = '', checkoutKey = '' } = pageData();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), ANSWER_TIMEOUT_MS);
  try {
    const response = await fetch(`${root}/api/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { paymentId, CheckoutKey: checkoutKey, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      signal: timeout.signal,
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {} };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Who pays, and nothing of how: for a shop that places its order before the payment goes on. */
export const sendConsumer = (body: unknown): Promise<Answer | undefined> => call('consumer', body);

export const sendPay = (body: unknown): Promise<Answer | undefined> => call('pay', body);

/** `undefined` when the service could not be asked. A payment or key that it does not know has the state `fault`. */
export async function askStanding(): Promise<Standing | undefined> {
  const answer = await call('checkout');
  if (answer?.status === 200) return answer.body as Standing;
  if (answer?.status !== 401 && answer?.status !== 404) return undefined;
  return { state: 'fault', amount: 0, shippingCostMissing: false, confirming: false };
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

// What is decided elsewhere is asked for at first often, then less.
const PAUSES_MS = [1_000, 2_000, 3_000, 5_000];
const LONGEST_PAUSE_MS = 10_000;
export const pauseOf = (round: number): Promise<void> => pause(PAUSES_MS[round] ?? LONGEST_PAUSE_MS);
