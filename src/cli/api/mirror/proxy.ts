// A proxy in front of the hosted service. It forwards requests, returns the responses, and then reports both.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from '../../../ops/node-http.ts';
import type { Exchange } from './repeat.ts';

const TIMEOUT_MS = 60_000;
const LARGEST_BODY_BYTES = 1_048_576;
const LARGEST_ANSWER_BYTES = 8_388_608;

// These belong to one connection, or are set anew for the next.
const NOT_PASSED =
  /^(?:accept-encoding|connection|content-encoding|content-length|expect|host|keep-alive|proxy-.*|te|trailer)$/;
const NOT_PASSED_EITHER = /^(?:transfer-encoding|upgrade)$/;
/** Headers to repeat besides the body; the key is replaced with Kassa's. */
const REPEATED = ['idempotency-key', 'commerceplatformtag'];

class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

async function readAll(pieces: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new TooLarge('too large');
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}

const isPassed = (name: string): boolean => !NOT_PASSED.test(name) && !NOT_PASSED_EITHER.test(name);

const passed = (entries: Iterable<readonly [string, string | string[] | undefined]>): [string, string][] =>
  [...entries].flatMap(([name, value]) => (isPassed(name) && value !== undefined ? [[name, String(value)]] : []));

async function pass(hosted: string, request: IncomingMessage, response: ServerResponse): Promise<Exchange> {
  const { method = 'GET', url: path = '/', headers } = request;
  const sent = await readAll(request, LARGEST_BODY_BYTES);
  const answer = await fetch(hosted + path, {
    method,
    headers: passed(Object.entries(headers)),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(sent.length > 0 && { body: new Uint8Array(sent) }),
  });
  const answered = answer.body === null ? Buffer.alloc(0) : await readAll(answer.body, LARGEST_ANSWER_BYTES);
  response.writeHead(answer.status, Object.fromEntries(passed(answer.headers))).end(answered);
  const repeated = REPEATED.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return {
    method,
    path,
    headers: Object.fromEntries(repeated),
    sent: sent.toString('utf8'),
    status: answer.status,
    answered: answered.toString('utf8'),
  };
}

/** Calls `onPassed` for every request that the hosted service has answered, in the order of its responses. */
export function openProxy(hosted: string, onPassed: (exchange: Exchange) => void): Server {
  return createServer((request, response) => {
    pass(hosted, request, response).then(onPassed, (error: Error) => {
      if (response.headersSent) return response.destroy();
      const isTooLarge = error instanceof TooLarge;
      const message = isTooLarge
        ? 'The mirror accepts request bodies up to 1 MiB and responses up to 8 MiB.'
        : `The mirror gets no response from the hosted service (${error.name}).`;
      response.writeHead(isTooLarge ? 413 : 502, { 'content-type': 'application/json', connection: 'close' });
      return response.end(JSON.stringify({ message }));
    });
  });
}
