// Takes one lane as far as it goes now: its events in order, each sent until it is taken or has to wait. What came of it
// is given back whole, to be recorded.
import type { Merchant } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import type { Attempt, DeliveryResult, Due, Lane, LaneResult } from '../store/lanes.ts';
import { LEASE_S } from '../store/lanes.ts';
import { bodyOf } from './body.ts';
import { pauseAfter, TRIES_IN_ORDER } from './pauses.ts';
import type { Sender, Sent } from './sender.ts';
import { signatureHeaders } from './signature.ts';

const GONE = 410;
// No attempt is begun that could end after the lease: another process would take the lane meanwhile.
const LAST_BEGIN_MS = (LEASE_S * 1_000) / 3;

const USER_AGENT = 'Kassa';
type Request = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** To a webhook, signed; to a payment's own hook, with what the shop gave as authorization. */
function requestOf(lane: Lane, { event, hook }: Due, payment: Payment | undefined): Request | undefined {
  const body = JSON.stringify(bodyOf(event, payment));
  const common = { 'content-type': 'application/json', 'user-agent': USER_AGENT };
  if (lane.webhook) {
    const { url, secrets } = lane.webhook;
    return { url, body, headers: { ...common, ...signatureHeaders(event.id, body, secrets, Date.now()) } };
  }
  const own = payment?.checkout.webHooks?.[hook ?? -1];
  if (own === undefined) return undefined;
  const theirs = Object.entries(Object.assign({}, ...(own.headers ?? [])) as Record<string, string>);
  const headers = Object.fromEntries(theirs.map(([name, value]) => [name.toLowerCase(), value]));
  return { url: own.url, body, headers: { ...headers, ...common, authorization: own.authorization } };
}

/** A webhook takes an event with any 2xx; the existing clients of payments' own hooks mean it only with 200. */
const isTaken = (lane: Lane, { status = 0 }: Sent): boolean =>
  lane.webhook ? status >= 200 && status < 300 : status === 200;

const attemptOf = (at: number, { ms, status, error, answer }: Sent): Attempt => ({
  at: new Date(at).toISOString(),
  ms,
  ...(status !== undefined && { status }),
  ...(error !== undefined && { error }),
  ...(answer !== '' && { answer }),
});

const drop = ({ event }: Due): DeliveryResult => ({ event, state: 'dropped', attempts: [] });

function judge(lane: Lane, { event, tries }: Due, sent: Sent, at: number): DeliveryResult {
  const attempts = [attemptOf(at, sent)];
  if (isTaken(lane, sent)) return { event, state: 'delivered', attempts };
  if (sent.status === GONE) return { event, state: 'dropped', attempts };
  const waitMs = pauseAfter(tries + 1, sent.retryAfterMs);
  return waitMs === undefined ? { event, state: 'failed', attempts } : { event, state: 'pending', waitMs, attempts };
}

export type LaneContext = {
  readonly lane: Lane;
  readonly payment: Payment | undefined;
  readonly merchant: Merchant;
  readonly sender: Sender;
  readonly isStopping: () => boolean;
  readonly onAttempt: (result: DeliveryResult, sent: Sent) => void;
};

export async function runLane(context: LaneContext): Promise<LaneResult> {
  const { lane, payment, merchant, sender } = context;
  const isHook = lane.subscriber.startsWith('hook-');
  if (lane.isEnded || (!isHook && (lane.webhook === undefined || lane.webhook.isDisabled)))
    return { lane, deliveries: lane.due.map(drop), isEnded: isHook };

  const begunAt = performance.now();
  const deliveries: DeliveryResult[] = [];
  const waits: number[] = [];
  let seen: LaneResult['seen'];
  for (const [index, due] of lane.due.entries()) {
    const elapsedMs = performance.now() - begunAt;
    const rest = lane.due.slice(index);
    if (context.isStopping() || elapsedMs > LAST_BEGIN_MS) {
      waits.push(...rest.map(({ waitMs }) => waitMs - elapsedMs));
      break;
    }
    if (due.waitMs > elapsedMs) {
      waits.push(due.waitMs - elapsedMs);
      if (due.tries < TRIES_IN_ORDER) break;
      continue;
    }
    const request = requestOf(lane, due, payment);
    if (request === undefined) {
      deliveries.push(drop(due));
      continue;
    }
    const at = Date.now();
    const sent = await sender.send({ ...request, live: merchant.live });
    const result = judge(lane, due, sent, at);
    deliveries.push(result);
    context.onAttempt(result, sent);
    if (sent.status === GONE)
      return { lane, deliveries: [...deliveries, ...rest.slice(1).map(drop)], isEnded: isHook, seen: 'gone' };
    if (result.state === 'delivered') seen = 'ok';
    else seen ??= 'failing';
    if (result.waitMs !== undefined) {
      waits.push(result.waitMs);
      if (due.tries + 1 < TRIES_IN_ORDER) break;
    }
  }
  const waitMs = waits.length === 0 ? undefined : Math.max(0, Math.round(Math.min(...waits)));
  return { lane, deliveries, isEnded: false, ...(waitMs !== undefined && { waitMs }), ...(seen && { seen }) };
}
