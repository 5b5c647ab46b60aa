// One HTTP request to another machine and its answer, for everything that Kassa calls: acquirers, endpoints of merchants,
// the collector of traces. `exchange` never throws, ends within its time, reads a bounded answer and follows no redirect.
//
// Where addresses are checked, they are checked inside the connection's own look-up, so what was checked is what is
// connected to; a name that leads elsewhere a moment later is looked up, and checked, only with the next connection.
// Connections are kept and used again, so each set of rules has connections of its own.
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, Socket } from 'node:net';
import type { LookupFunction } from 'node:net';
import { findAddresses, nameNotFound } from './lookup.ts';

// An import of node:http by a module loads all of fetch and WebSocket as well: a twentieth of a start.
const { Agent: HttpAgent, request: requestHttp } = process.getBuiltinModule('node:http');

type FindAddresses = (name: string) => Promise<readonly string[]>;
/** Why an address must not be connected to. */
type Refuse = (address: string) => string | undefined;

export type ExchangeRequest = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** From looking up the name to the end of the answer. */
  readonly timeoutMs: number;
  /** From looking up the name to the connection. */
  readonly connectMs?: number;
  /** A longer answer is not read to its end. */
  readonly mostBytes: number;
  /** So many of its first bytes are kept, by default all. */
  readonly keptBytes?: number;
  readonly findAddresses?: FindAddresses;
  /** Whether it may be sent again, on a new connection, where a kept one turns out to be closed. */
  readonly mayRepeat?: boolean;
  readonly signal?: AbortSignal;
};

type Failure = {
  /** `forbidden`: the address is refused. `too_long`: the answer. `broken`: by the network, TLS, HTTP or an abort. */
  readonly name: 'late' | 'forbidden' | 'too_long' | 'broken';
  readonly error: Error;
};

export type Exchanged = {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  /** As much as was kept of it. */
  readonly body: Buffer;
  /** Why there is no answer, or with a status no whole one. */
  readonly failure?: Failure;
  /** Without one nothing has left. */
  readonly hadConnection: boolean;
};

export type Outbound = {
  exchange(request: ExchangeRequest): Promise<Exchanged>;
  /** Lets all connections go. What is under way fails. */
  close(): void;
};

type Options = {
  /** How long a connection is kept that nobody uses: shorter than most servers keep it. */
  readonly idleMs: number;
  /** To one host; by default the caller bounds how many requests there are at once. */
  readonly mostConnections?: number;
  readonly refuse?: Refuse;
};

// What is seen on a kept connection that the other side has closed meanwhile.
const STALE: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

class Forbidden extends Error {
  override readonly name = 'Forbidden';
}

/** Ends a connection that has come to an address it must not be at. The look-up lets none come so far. */
export function leaveForbidden(socket: Socket, refuse: Refuse): void {
  socket.once('connect', () => {
    const refusal = refuse(socket.remoteAddress ?? '');
    if (refusal !== undefined) socket.destroy(new Forbidden(refusal));
  });
}

/** The look-up of a connection that comes to no refused address. */
export function lookupBy(find: FindAddresses = findAddresses, refuse: Refuse = () => undefined): LookupFunction {
  return (name, { all }, answer) => {
    const give = (addresses: readonly string[]): void => {
      // One forbidden address is enough: nobody has a good reason to mix them.
      const refusal = addresses.map(refuse).find((found) => found !== undefined);
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (first === undefined) answer(nameNotFound(), '');
      else if (refusal !== undefined) answer(new Forbidden(refusal), '');
      else if (all) answer(null, found);
      else answer(null, first.address, first.family);
    };
    find(name).then(give, (error: Error) => answer(error, ''));
  };
}

/** The host of a URL as it is connected to: without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** The name that the certificate must have; none where the host is an address. */
export const serverNameOf = (host: string): string => (isIP(host) === 0 ? host.replace(/\.$/, '') : '');

/** A name with several addresses is tried at each; the first speaks for all. */
export function describeError({ message, code, errors }: Partial<NodeJS.ErrnoException & AggregateError>): string {
  if (code === 'ECONNRESET' && /^(?:socket hang up|aborted)$/.test(message ?? '')) return 'other side closed';
  const [first] = (errors ?? []) as Error[];
  return message || first?.message || code || 'connection failed';
}

/** A connection of its own, outside the pool, in which others may be stale as well. */
function onNewConnection({ agent, ...options }: RequestOptions): RequestOptions {
  return { ...options, createConnection: (...given) => (agent as Agent).createConnection(...given) };
}

function exchange(request: ExchangeRequest, options: RequestOptions, isClosed: () => boolean): Promise<Exchanged> {
  const { url, body, timeoutMs, connectMs, mostBytes, keptBytes = mostBytes, mayRepeat = false } = request;
  const { promise, resolve } = Promise.withResolvers<Exchanged>();
  const timers: NodeJS.Timeout[] = [];
  const kept: Buffer[] = [];
  let bytes = 0;
  let hadConnection = false;
  let isOver = false;
  let response: IncomingMessage | undefined;
  let current: ClientRequest | undefined;

  const end = (failure?: Failure): void => {
    if (isOver) return;
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
    resolve({
      status: response?.statusCode,
      retryAfter: response?.headers['retry-after'],
      body: Buffer.concat(kept).subarray(0, keptBytes),
      ...(failure && { failure }),
      hadConnection,
    });
    if (failure) current?.destroy();
  };
  const breakOff = (error: Error): void => end({ name: error instanceof Forbidden ? 'forbidden' : 'broken', error });
  const closed = (): void => breakOff(new Error('other side closed'));

  const read = (answer: IncomingMessage): void => {
    response = answer;
    // It is over only when all of it is read, so that who asks next finds the connection free.
    answer.on('data', (chunk: Buffer) => {
      if (bytes < keptBytes) kept.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) end({ name: 'too_long', error: new Error('the answer is too long') });
    });
    answer.on('end', () => {
      end();
      // A server that answers without reading leaves the rest of the body on the connection.
      if (!current?.writableFinished) current?.destroy();
    });
    answer.on('error', breakOff);
    answer.on('close', closed);
  };

  const attempt = (attemptOptions: RequestOptions): void => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, attemptOptions);
    let bytesBefore = 0;
    let isLeft = false;
    current = sent;
    sent.on('socket', (socket) => {
      bytesBefore = socket.bytesRead;
      // A connection that is used again has connected long ago.
      if (socket.connecting) socket.once('connect', () => (hadConnection = true));
      else hadConnection = true;
    });
    sent.on('response', read);
    sent.on('upgrade', (answer, socket) => {
      response = answer;
      socket.destroy();
      closed();
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && STALE.has(error.code) && sent.socket?.bytesRead === bytesBefore;
      // The second try is on a connection that nobody has used before, and so the last one.
      isLeft = mayRepeat && isStale && !isOver && !isClosed();
      if (isLeft) attempt(onNewConnection(options));
      else breakOff(error);
    });
    sent.on('close', () => {
      // An answer that has begun signals its own end, which can come a little later.
      if (!isLeft && response === undefined) closed();
    });
    sent.end(body);
  };

  timers.push(setTimeout(() => end({ name: 'late', error: new Error('no answer in time') }), timeoutMs));
  const checkConnection = (): void => {
    if (!hadConnection) breakOff(new Error('no connection in time'));
  };
  if (connectMs !== undefined) timers.push(setTimeout(checkConnection, connectMs));
  try {
    attempt(options);
  } catch (error) {
    // Headers that cannot be sent.
    breakOff(error as Error);
  }
  return promise;
}

export function openOutbound({ idleMs, mostConnections = Infinity, refuse }: Options): Outbound {
  const options = { keepAlive: true, noDelay: true, timeout: idleMs, maxSockets: mostConnections };
  const agents = [new HttpAgent(options), new HttpsAgent(options)] as const;
  for (const agent of refuse ? (agents as readonly Agent[]) : []) {
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (given, ready) => {
      const socket = connect(given, ready);
      if (refuse && socket instanceof Socket) leaveForbidden(socket, refuse);
      return socket;
    };
  }
  const [http, https] = agents;
  let isClosed = false;
  return {
    exchange(request) {
      const { url, method, headers, signal } = request;
      const given: RequestOptions & { servername: string } = {
        method,
        headers,
        agent: url.protocol === 'https:' ? https : http,
        lookup: lookupBy(request.findAddresses, refuse),
        servername: serverNameOf(hostOf(url)),
        ...(signal && { signal }),
      };
      return exchange(request, given, () => isClosed);
    },
    close() {
      isClosed = true;
      for (const agent of agents) agent.destroy();
    },
  };
}
