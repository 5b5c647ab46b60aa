// One POST to an endpoint, whoever runs it and however it behaves: `send` never throws, keeps only the first bytes of the
// answer and connects to no address that the merchant may not use. Live and test merchants have different rules for
// addresses, and so connections of their own.
import { openOutbound } from '../outbound/exchange.ts';
import type { Exchanged, Outbound } from '../outbound/exchange.ts';
import type { StoredEvent } from '../store/events/events.ts';
import { reachOf, refuseAddress, refuseUrl } from './addresses.ts';
import type { Reach } from './addresses.ts';
import { ANSWER_BYTES, describeFault, readRetryAfter, textOf } from './endpoint-answer.ts';
import { openResolve } from './endpoint-dns.ts';
import type { Resolve } from './endpoint-dns.ts';

export type Post = {
  /** Whose endpoint it is: its names are looked up at its own expense. */
  readonly merchantId: number;
  readonly url: string;
  readonly live: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What it tells of. */
  readonly event?: StoredEvent;
};

export type Sent = {
  /** As the endpoint answered. */
  readonly status?: number;
  /** Why no answer came; with a status, why the answer's body did not come whole. */
  readonly error?: string;
  readonly ms: number;
  /** The first bytes of the answer's body. */
  readonly answer: string;
  readonly retryAfterMs?: number;
  /** Kassa may not connect there, and has sent nothing. */
  readonly refused?: boolean;
};

export type Sender = {
  send(post: Post): Promise<Sent>;
  /** Lets all connections go. What is under way fails. */
  close(): void;
};

// From looking up the name to the end of the answer.
const TIMEOUT_MS = 10_000;
// Reading so much costs less than a new connection; more is not worth it.
const MOST_DRAINED_BYTES = 65_536;
// Shorter than most servers keep a connection that is idle.
const IDLE_MS = 15_000;

// They belong to the connection and to the name it was judged by; a merchant's own headers do not change them.
const OWN_HEADERS =
  /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Why an answer is not there, or not whole. What is kept of one is enough, however long or late the rest is. */
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
  /** Whether test merchants' posts may go to private addresses. */
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
        // What must be public is in public names.
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
