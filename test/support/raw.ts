// A client that writes bytes to a bare socket: for requests that no HTTP library would send, and for looking at an
// answer as it stands on the wire.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Reply } from './client.ts';

export type RawReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The JSON of the body; undefined when there is no body or it is not JSON. */
  readonly body: Reply['body'];
};

export type Bytes = string | Buffer;

export type RawOptions = {
  /** Final answers to wait for; fewer come back when the service closes the connection before. 0: hangs up at once. */
  readonly replies?: number;
  /** Closes the sending side after the last byte. */
  readonly end?: boolean;
};

// Far beyond what any answer takes: an answer that never comes must fail the test with its own words.
const TIMEOUT_MS = 180_000;

const HEAD_END = '\r\n\r\n';

/** The body of a chunked answer, and where it ends; undefined while it is incomplete. */
function parseChunks(bytes: Buffer, start: number): { text: string; end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (bytes.length < end) return undefined;
    chunks.push(bytes.subarray(lineEnd + 2, end - 2));
    if (size === 0) return { text: Buffer.concat(chunks).toString('utf8'), end };
    at = end;
  }
}

/** The body of an answer, and where it ends; undefined while it is incomplete. */
function parseBody(bytes: Buffer, start: number, status: number, headers: Readonly<Record<string, string>>) {
  if (status < 200 || status === 204 || status === 304) return { text: '', end: start };
  if (headers['transfer-encoding'] === 'chunked') return parseChunks(bytes, start);
  const end = start + Number(headers['content-length']);
  if (Number.isNaN(end)) throw new Error('an answer without a length');
  return bytes.length < end ? undefined : { text: bytes.toString('utf8', start, end), end };
}

function parseHead(head: string): { status: number; headers: Record<string, string> } {
  const [first = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no answer of HTTP: ${first}`);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status, headers };
}

/** The first whole answer in the bytes, and where it ends; undefined while it is incomplete. */
function parseReply(bytes: Buffer): { reply: RawReply; end: number } | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const { status, headers } = parseHead(bytes.toString('latin1', 0, headEnd));
  const parsed = parseBody(bytes, headEnd + HEAD_END.length, status, headers);
  if (parsed === undefined) return undefined;
  const { text, end } = parsed;
  const isJson = headers['content-type']?.includes('json') && text !== '';
  return { reply: { status, headers, text, body: isJson ? JSON.parse(text) : undefined }, end };
}

/** Everything whole that has arrived so far, the interim answers (100) among it. */
function parseReplies(bytes: Buffer): RawReply[] {
  const replies: RawReply[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const parsed = parseReply(rest);
    if (parsed === undefined) break;
    replies.push(parsed.reply);
    rest = rest.subarray(parsed.end);
  }
  return replies;
}

const isFinal = ({ status }: RawReply): boolean => status >= 200;

/** Writes the bytes and gives the answers, in order. */
export async function exchange(url: string, bytes: Bytes, options: RawOptions = {}): Promise<RawReply[]> {
  const { replies: wanted = 1, end = false } = options;
  const { hostname, port } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port) });
  try {
    return await new Promise<RawReply[]>((resolve, reject) => {
      let received = Buffer.alloc(0);
      const timer = setTimeout(() => reject(new Error('no answer came')), TIMEOUT_MS);
      const finish = (replies: RawReply[]): void => {
        clearTimeout(timer);
        resolve(replies);
      };
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        const replies = parseReplies(received);
        if (replies.filter(isFinal).length >= wanted) finish(replies);
      });
      // A service that refuses a body half way resets the connection; what it answered before counts.
      socket.on('error', () => {});
      socket.on('close', () => finish(parseReplies(received)));
      if (end) socket.end(bytes);
      else socket.write(bytes, () => wanted === 0 && finish([]));
    });
  } finally {
    socket.destroy();
  }
}

/** The text of a request with the headers as they are given; a body brings its Content-Length unless one is given. */
export function requestText(
  line: string,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
  body: Bytes = '',
): Buffer {
  const given = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`));
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const isFramed = names.has('content-length') || names.has('transfer-encoding');
  const lines = [
    `${line} HTTP/1.1`,
    ...(names.has('host') ? [] : ['Host: kassa.example']),
    ...given,
    ...(isFramed || body.length === 0 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n') + HEAD_END, 'latin1'), Buffer.from(body)]);
}
