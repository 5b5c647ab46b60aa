// One HTTP request to an acquirer: a single attempt with limits of time and bytes, without redirects. Acquirers have
// their own connections and resolver, separate from merchants' endpoints, so that dead host names of those do not matter
// here.
import { CONNREFUSED, lookup as lookUpBySystem, NODATA, NOTFOUND } from 'node:dns/promises';
import { Agent as HttpAgent, request as requestHttp } from '../ops/node-http.ts';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { openLookUp } from '../dns/lookup.ts';

export type Call = {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From looking up the name to the end of the answer. */
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
const REDIRECTIONS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

const AGENT = { keepAlive: true, noDelay: true, timeout: IDLE_MS };
const http = new HttpAgent(AGENT);
const https = new HttpsAgent(AGENT);
const lookUp = openLookUp();

// Falls back to the system's resolver, since only operators configure acquirers.
const NOT_HERE: ReadonlySet<string | undefined> = new Set([CONNREFUSED, NODATA, NOTFOUND]);

async function addressesOf(name: string): Promise<readonly string[]> {
  try {
    return await lookUp(name, 'any');
  } catch (error) {
    if (!NOT_HERE.has((error as NodeJS.ErrnoException).code)) throw error;
    return (await lookUpBySystem(name, { all: true })).map(({ address }) => address);
  }
}

const lookup: LookupFunction = (name, { all }, answer) => {
  const give = (addresses: readonly string[]): void => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first = { address: '', family: 0 }] = found;
    if (all) answer(null, found);
    else answer(null, first.address, first.family);
  };
  addressesOf(name).then(give, (error: Error) => answer(error, ''));
};

/** The error message; of several addresses, that of the first. */
function wordsOf({ message, code, errors }: Partial<NodeJS.ErrnoException & AggregateError>): string {
  if (code === 'ECONNRESET' && /^(?:socket hang up|aborted)$/.test(message ?? '')) return 'other side closed';
  const [first] = (errors ?? []) as Error[];
  return message || first?.message || code || 'connection failed';
}

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
  const { method, headers, body, timeoutMs, mostBytes } = call;
  const url = urlOf(address);
  const isSecure = url.protocol === 'https:';
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  let isConnected = false;
  let hasAnswer = false;
  let request: ClientRequest | undefined;

  const fail = (failure: CallFailed): void => {
    reject(failure);
    request?.destroy();
  };
  const breakOff = (error: Error): void =>
    fail(new CallFailed(`it cannot be reached, ${wordsOf(error)}`, !isConnected));

  const read = (response: IncomingMessage): void => {
    const { statusCode: status = 0 } = response;
    hasAnswer = true;
    response.on('error', breakOff);
    response.on('close', () => breakOff(new Error('other side closed')));
    if (REDIRECTIONS.has(status)) return fail(new CallFailed('it cannot be reached, unexpected redirect'));
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) fail(new CallFailed('the answer is too long'));
      else chunks.push(chunk);
    });
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status, retryAfter: response.headers['retry-after'], text });
    });
  };

  const late = setTimeout(() => fail(new CallFailed('it does not answer in time')), timeoutMs);
  const lost = setTimeout(() => {
    if (!isConnected) breakOff(new Error('no connection in time'));
  }, CONNECT_TIMEOUT_MS);
  try {
    request = (isSecure ? requestHttps : requestHttp)(url, { method, headers, lookup, agent: isSecure ? https : http });
    request.on('socket', (socket) => {
      isConnected = !socket.connecting;
      // A connection that is used again has connected long ago.
      if (!isConnected)
        socket.once('connect', () => {
          isConnected = true;
        });
    });
    request.on('response', read);
    request.on('error', breakOff);
    // An answer that has begun tells its own end, which can come a little later.
    request.on('close', () => {
      if (!hasAnswer) breakOff(new Error('other side closed'));
    });
    request.end(body);
  } catch (error) {
    // A key that cannot be a header.
    breakOff(error as Error);
  }
  return promise.finally(() => {
    clearTimeout(late);
    clearTimeout(lost);
  });
}
