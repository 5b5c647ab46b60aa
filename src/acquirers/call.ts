// One HTTP request to an acquirer: a single attempt, and what went wrong in words for the log. Acquirers have their own
// connections and resolver, separate from merchants' endpoints, so that dead host names of those do not matter here.
import { describeError, openOutbound } from '../outbound/exchange.ts';

export type Call = {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly mostBytes: number;
};

export type Answered = { readonly status: number; readonly retryAfter: string | undefined; readonly text: string };

export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** It failed to connect, so nothing was sent. */
  readonly isNotSent: boolean;

  constructor(message: string, isNotSent = false) {
    super(message);
    this.isNotSent = isNotSent;
  }
}

// Shorter than the keep-alive of most servers, so that no connection is used that they are about to close.
const IDLE_MS = 4_000;
const CONNECT_TIMEOUT_MS = 10_000;
const REDIRECTIONS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const outbound = openOutbound({ idleMs: IDLE_MS });

function urlOf(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isHttp = parsed?.protocol === 'http:' || parsed?.protocol === 'https:';
  if (!parsed || !isHttp) throw new CallFailed('it cannot be reached, its address is no URL', true);
  if (parsed.username !== '' || parsed.password !== '')
    throw new CallFailed('it cannot be reached, its address has a user name or a password', true);
  return parsed;
}

/** Throws nothing but CallFailed. */
export async function callOnce(address: string, call: Call): Promise<Answered> {
  const exchanged = await outbound.exchange({ ...call, url: urlOf(address), connectMs: CONNECT_TIMEOUT_MS });
  const { status = 0, retryAfter, body, failure, hadConnection } = exchanged;
  if (REDIRECTIONS.has(status)) throw new CallFailed('it cannot be reached, unexpected redirect');
  if (failure === undefined) return { status, retryAfter, text: body.toString('utf8') };
  if (failure.name === 'late') throw new CallFailed('it does not answer in time');
  if (failure.name === 'too_long') throw new CallFailed(failure.error.message);
  throw new CallFailed(`it cannot be reached, ${describeError(failure.error)}`, !hadConnection);
}
