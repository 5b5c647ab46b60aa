// Sends one POST to an endpoint, however it behaves: `send` never throws, keeps only the first bytes of the response,
// and connects to no address that the merchant may not use. Live and test merchants have different rules for addresses,
// and therefore separate connections.
import { openOutbound } from '../outbound/exchange.ts';
import type { Exchanged, Outbound } from '../outbound/exchange.ts';
import type { StoredEvent } from '../store/events/events.ts';
import { reachOf, refuseAddress, refuseUrl } from './addresses.ts';
import type { Reach } from './addresses.ts';
import { ANSWER_BYTES, describeFault, readRetryAfter, textOf } from './endpoint-answer.ts';
import { openResolve } from './endpoint-dns.ts';
import type { Resolve } from './endpoint-dns.ts';

export type Post = {
  /** The merchant, whose limits apply to the look-up of the name. */
  readonly merchantId: number;
  readonly url: string;
  readonly live: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The event that it carries. */
  readonly event?: StoredEvent;
};

export type Sent = {
  /** The status of the response. */
  readonly status?: number;
  /** Why there was no response; with a status, why its body was incomplete. */
  readonly error?: string;
  readonly ms: number;
  /** The first bytes of the response's body. */
  readonly answer: string;
  readonly retryAfterMs?: number;
  /** Kassa may not connect to the address, and has sent nothing. */
  readonly refused?: boolean;
};

export type Sender = {
  send(post: Post): Promise<Sent>;
  /** Closes all connections. Requests under way fail. */
  close(): void;
};

// From looking up the name to the end of the response.
const TIMEOUT_MS = 10_000;
// Reading this much costs less than a new connection; more is not worth it.
const MOST_DRAINED_BYTES = 65_536;
// Shorter than most servers keep an idle connection.
const IDLE_MS = 15_000;

// Determined by the connection and the name it was checked for; a merchant's own headers cannot change them.
const OWN_HEADERS =
  /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Why there is no response, or not all of it. The kept part is enough, however long or late the rest is. */
function faultOf({ status, body, failure }: Exchanged, timeoutMs: number): Pick<Sent, 'error' | 'refused'> {
  if (failure === undefined || failure.name === 'too_long') return {};
  if (failure.name === 'forbidden') return { error: `url ${failure.error.message}`, refused: true };
  if (failure.name === 'late')
    return body.length < ANSWER_BYTES ? { error: `timed out after ${timeoutMs / 1_000} s` } : {};
  if (status === undefined) return { error: describeFault(failure.error) };
  return { error: status === 101 ? 'answer changes the protocol' : 'answer broke off' };
}

function sentOf(exchanged: Exchanged, ms: number, timeoutMs: number): Sent {
  const { status, body } = exchanged;
  const retryAfterMs = readRetryAfter(exchanged.retryAfter, Date.now());
  return {
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...faultOf(exchanged, timeoutMs),
    ms,
    answer: textOf(body),
  };
}

export function openSender({
  timeoutMs = TIMEOUT_MS,
  resolve = openResolve(),
  privateHooks = false,
}: {
  readonly timeoutMs?: number;
  readonly resolve?: Resolve;
  /** Whether test merchants' requests may reach private addresses. */
  readonly privateHooks?: boolean;
} = {}): Sender {
  const open = (reach: Reach): Outbound =>
    openOutbound({ idleMs: IDLE_MS, refuse: (address) => refuseAddress(address, reach) });
  const outbounds = { live: open('live'), test: open(reachOf(false, privateHooks)) };
  let isClosed = false;

  return {
    async send({ url, live, merchantId, headers, body }) {
      const reach = reachOf(live, privateHooks);
      const refusal = refuseUrl(url, reach);
      if (refusal !== undefined) return { error: `url ${refusal}`, ms: 0, answer: '', refused: true };
      if (isClosed) return { error: 'sending has ended', ms: 0, answer: '' };
      const startedAt = performance.now();
      const exchanged = await outbounds[live ? 'live' : 'test'].exchange({
        url: new URL(url),
        method: 'POST',
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name))),
        body,
        timeoutMs,
        mostBytes: MOST_DRAINED_BYTES,
        keptBytes: ANSWER_BYTES,
        // Names are looked up as public ones unless private addresses are allowed.
        findAddresses: (name) => resolve(name, { merchantId, scope: reach === 'home' ? 'any' : 'public' }),
        mayRepeat: true,
      });
      return sentOf(exchanged, Math.round(performance.now() - startedAt), timeoutMs);
    },
    close() {
      isClosed = true;
      outbounds.live.close();
      outbounds.test.close();
    },
  };
}
