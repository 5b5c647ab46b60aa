// Runs one lane as far as it goes now: its events in order, each sent until it is accepted or has to wait. Returns all
// results for recording.
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import type { DeliveryResult, Due, Lane, LaneResult } from '../store/events/lanes.ts';
import { LEASE_S } from '../store/events/lanes.ts';
import { COMMON_HEADERS, judgeAnswer } from './attempt.ts';
import { bodyOf } from './body.ts';
import { retryDelayAfter, TRIES_IN_ORDER } from './retry-delays.ts';
import type { Sender, Sent } from './sender.ts';
import { signatureHeaders } from './signature.ts';

const GONE = 410;
// No attempt starts that could outlast the lease, since another process would claim the lane.
const LAST_BEGIN_MS = (LEASE_S * 1_000) / 3;
// The lane of a disabled webhook rests with its events. Enabling the webhook wakes it, so this need not be short.
const REST_MS = 30 * 86_400_000;

// Some milliseconds to make, sign and write the body.
const LARGE_LENGTH = 65_536;

type Request = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** To a webhook: signed. To a payment's own hook: with the shop's authorization, if any. */
function requestOf({ lane, payment, publicUrl }: LaneContext, { event, hook }: Due): Request | undefined {
  const body = JSON.stringify(bodyOf(event, payment, publicUrl));
  if (lane.webhook) {
    const { url, secrets } = lane.webhook;
    return { url, body, headers: { ...COMMON_HEADERS, ...signatureHeaders(event.id, body, secrets, Date.now()) } };
  }
  const own = payment?.checkout.webHooks?.[hook ?? -1];
  if (own === undefined) return undefined;
  const theirs = Object.entries(Object.assign({}, ...(own.headers ?? [])) as Record<string, string>);
  const { authorization: _dropped, ...headers } = Object.fromEntries(
    theirs.map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { url, authorization } = own;
  return {
    url,
    body,
    headers: { ...headers, ...COMMON_HEADERS, ...(authorization !== undefined && { authorization }) },
  };
}

/** A body that cannot be made counts as a failed attempt: it must not block what was sent before it. */
function makeRequest(context: LaneContext, due: Due): Request | Sent | undefined {
  try {
    return requestOf(context, due);
  } catch (error) {
    return { error: `its body could not be made: ${(error as Error).message}`, ms: 0, answer: '' };
  }
}

const drop = (due: Due): DeliveryResult => ({ due, state: 'dropped', attempts: [] });

function judge(lane: Lane, due: Due, sent: Sent, at: number): DeliveryResult {
  const { isTaken, attempt } = judgeAnswer(sent, at, lane.webhook === undefined);
  const attempts = [attempt];
  if (isTaken) return { due, state: 'delivered', attempts };
  if (sent.status === GONE && lane.webhook === undefined) return { due, state: 'dropped', attempts };
  const waitMs = retryDelayAfter(due.tries + 1, sent.retryAfterMs);
  return waitMs === undefined ? { due, state: 'failed', attempts } : { due, state: 'pending', waitMs, attempts };
}

export type LaneContext = {
  readonly lane: Lane;
  readonly payment: Payment | undefined;
  readonly merchant: Merchant;
  readonly sender: Sender;
  /** The service's URL, if this process knows it. */
  readonly publicUrl?: string | undefined;
  readonly isStopping: () => boolean;
  readonly onAttempt: (result: DeliveryResult, sent: Sent) => void;
};

export async function runLane(context: LaneContext): Promise<LaneResult> {
  const { lane, merchant, sender } = context;
  const isHook = lane.subscriber.startsWith('hook-');
  if (lane.isEnded || (!isHook && lane.webhook === undefined))
    return { lane, deliveries: lane.due.map(drop), isEnded: isHook };
  if (lane.webhook?.isDisabled) return { lane, deliveries: [], isEnded: false, waitMs: REST_MS };

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
    const request = makeRequest(context, due);
    if (request === undefined) {
      deliveries.push(drop(due));
      continue;
    }
    // Making a large body already took its turn; others run before it is written.
    if ('url' in request && request.body.length > LARGE_LENGTH) await othersTurn();
    const at = Date.now();
    const { id: merchantId, live } = merchant;
    const sent = 'url' in request ? await sender.send({ ...request, merchantId, live, event: due.event }) : request;
    // An attempt that our own shutdown cut off says nothing about the endpoint; the process that takes over sends it
    // again.
    if (context.isStopping() && sent.status === undefined) {
      waits.push(0);
      break;
    }
    const result = judge(lane, due, sent, at);
    deliveries.push(result);
    context.onAttempt(result, sent);
    if (sent.status === GONE && isHook)
      return { lane, deliveries: [...deliveries, ...rest.slice(1).map(drop)], isEnded: true, seen: 'gone' };
    if (sent.status === GONE) return { lane, deliveries, isEnded: false, waitMs: REST_MS, seen: 'gone' };
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
