// One POST to an endpoint, whoever runs it and however it behaves: `send` never throws, ends within its time, follows no
// redirect, keeps only the first bytes of the answer and connects to no address that the merchant may not use.
//
// The addresses that DNS gives are judged inside the connection's own look-up, so what was judged is what is connected
// to; a name that leads elsewhere a moment later is looked up, and judged, only with the next connection. Connections are
// kept and used again, and therefore apart for live and for test merchants, whose connections were judged by other rules.
import { Agent as HttpAgent, request as requestHttp } from '../ops/node-http.ts';
import type { ClientRequest, ClientRequestArgs, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, Socket } from 'node:net';
import type { LookupFunction } from 'node:net';
import { hostOf, reachOf, refuseAddress, refuseUrl } from './addresses.ts';
import type { Reach } from './addresses.ts';
import { ANSWER_BYTES, describeFault, readRetryAfter, textOf } from './endpoint-answer.ts';
import { nameNotFound } from '../dns/lookup.ts';
import type { StoredEvent } from '../store/events/events.ts';
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

// What is seen on a kept connection that the other side has closed meanwhile.
const STALE: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

class Refused extends Error {
  override readonly name = 'Refused';
}

/** Ends a connection that has come to an address it must not be at. The look-up lets none come so far. */
export function leaveForbidden(socket: Socket, reach: Reach): void {
  socket.once('connect', () => {
    const refusal = refuseAddress(socket.remoteAddress ?? '', reach);
    if (refusal !== undefined) socket.destroy(new Refused(refusal));
  });
}

function judgedLookup(resolve: Resolve, merchantId: number, reach: Reach): LookupFunction {
  return (name, { all }, answer) => {
    const judge = (addresses: readonly string[]): void => {
      // One forbidden address is enough: nobody has a good reason to mix them.
      const refusal = addresses.map((address) => refuseAddress(address, reach)).find((found) => found !== undefined);
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (first === undefined) answer(nameNotFound(), '');
      else if (refusal !== undefined) answer(new Refused(refusal), '');
      else if (all) answer(null, found);
      else answer(null, first.address, first.family);
    };
    const fail = (error: Error): void => answer(error, '');
    // What must be public is in public names.
    resolve(name, { merchantId, scope: reach === 'home' ? 'any' : 'public' }).then(judge, fail);
  };
}

type Way = { readonly reach: Reach; readonly http: HttpAgent; readonly https: HttpsAgent };

function watch<Agent extends HttpAgent>(agent: Agent, reach: Reach): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, ready) => {
    const socket = connect(options, ready);
    if (socket instanceof Socket) leaveForbidden(socket, reach);
    return socket;
  };
  return agent;
}

function openWay(reach: Reach): Way {
  // How many connections there are at once is the caller's business.
  const options = { keepAlive: true, noDelay: true, timeout: IDLE_MS };
  return { reach, http: watch(new HttpAgent(options), reach), https: watch(new HttpsAgent(options), reach) };
}

type Options = ClientRequestArgs & { servername: string };

function optionsOf({ url, headers }: Post, { http, https }: Way, lookup: LookupFunction): Options {
  const parsed = new URL(url);
  const host = hostOf(parsed);
  return {
    method: 'POST',
    protocol: parsed.protocol,
    host,
    port: parsed.port,
    path: parsed.pathname + parsed.search,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name))),
    agent: parsed.protocol === 'https:' ? https : http,
    lookup,
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
  };
}

/** A connection of its own, outside the pool, in which others may be stale as well. */
function onNewConnection(options: ClientRequestArgs): ClientRequestArgs {
  const { agent, ...others } = options;
  if (!(agent instanceof HttpAgent)) return options;
  return { ...others, createConnection: (...given) => agent.createConnection(...given) };
}

/** Sends and reads, at most twice, and tells the outcome once. */
function exchange(options: ClientRequestArgs, body: string, timeoutMs: number, isClosed: () => boolean): Promise<Sent> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status: number | undefined;
    let retryAfterMs: number | undefined;
    let isTold = false;
    let current: ClientRequest | undefined;

    const tell = (failure: { readonly error?: string; readonly refused?: true } = {}): void => {
      if (isTold) return;
      isTold = true;
      const ms = Math.round(performance.now() - startedAt);
      const known = { ...(status !== undefined && { status }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
      resolve({ ...known, ...failure, ms, answer: textOf(chunks) });
    };

    const fail = (error: Error): void => {
      if (error instanceof Refused) tell({ error: `url ${error.message}`, refused: true });
      else tell({ error: status === undefined ? describeFault(error) : 'answer broke off' });
    };

    const timer = setTimeout(() => {
      // What is kept of an answer was there in time.
      tell(bytes >= ANSWER_BYTES ? {} : { error: `timed out after ${timeoutMs / 1_000} s` });
      current?.destroy();
    }, timeoutMs);

    const read = (request: ClientRequest, response: IncomingMessage): void => {
      status = response.statusCode;
      retryAfterMs = readRetryAfter(response.headers['retry-after'], Date.now());
      // A short rest is read, so that the connection can be used again; it is told only when that is over, since whoever
      // is told may open the next one.
      response.on('data', (chunk: Buffer) => {
        if (bytes < ANSWER_BYTES) chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= MOST_DRAINED_BYTES) return;
        tell();
        request.destroy();
      });
      response.on('end', () => {
        tell();
        // Whoever answers without reading leaves the rest of the body on the connection.
        if (!request.writableFinished) request.destroy();
      });
      // Its close follows, and tells.
      response.on('error', () => {});
      response.on('close', () => tell({ error: 'answer broke off' }));
    };

    const attempt = (attemptOptions: ClientRequestArgs): void => {
      const request = (options.protocol === 'https:' ? requestHttps : requestHttp)(attemptOptions);
      let bytesBefore = 0;
      let isLeft = false;
      current = request;
      request.on('socket', (socket) => {
        bytesBefore = socket.bytesRead;
      });
      request.on('response', (response) => read(request, response));
      request.on('upgrade', (_, socket) => {
        status = 101;
        tell({ error: 'answer changes the protocol' });
        socket.destroy();
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && STALE.has(error.code) && request.socket?.bytesRead === bytesBefore;
        // The second try is on a connection that nobody has used before, and so the last one.
        isLeft = isStale && !isTold && !isClosed();
        if (isLeft) attempt(onNewConnection(options));
        else fail(error);
      });
      request.on('close', () => {
        if (isLeft) return;
        clearTimeout(timer);
        // An answer that has begun tells its own end, which can come a little later.
        if (status === undefined) tell({ error: 'connection reset' });
      });
      request.end(body);
    };

    try {
      attempt(options);
    } catch (error) {
      // Headers that cannot be sent.
      clearTimeout(timer);
      fail(error as Error);
    }
  });
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
  const ways = { live: openWay('live'), test: openWay(reachOf(false, privateHooks)) };
  let isClosed = false;

  return {
    send(post) {
      const refusal = refuseUrl(post.url, reachOf(post.live, privateHooks));
      if (refusal !== undefined) {
        return Promise.resolve({ error: `url ${refusal}`, ms: 0, answer: '', refused: true });
      }
      if (isClosed) return Promise.resolve({ error: 'sending has ended', ms: 0, answer: '' });
      const way = post.live ? ways.live : ways.test;
      const options = optionsOf(post, way, judgedLookup(resolve, post.merchantId, way.reach));
      return exchange(options, post.body, timeoutMs, () => isClosed);
    },
    close() {
      isClosed = true;
      for (const { http, https } of Object.values(ways)) {
        http.destroy();
        https.destroy();
      }
    },
  };
}
