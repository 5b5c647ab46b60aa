// Answers what never became a request: oversized headers, a request that took too long, bytes that are not HTTP. Node
// hands over the bare socket, so the response is written by hand.
import type { Socket } from 'node:net';
import { errorsOf, failure, NO_CODE } from './answer.ts';
import { newRequestId } from './request-id.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
};

function answerOf(code: string | undefined) {
  if (code === 'HPE_HEADER_OVERFLOW') return failure(431, NO_CODE, 'The headers are larger than 16 KiB.');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return failure(413, NO_CODE, 'The chunks of the body are malformed.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return failure(408, NO_CODE, 'The request did not arrive within 30 seconds.');
  return errorsOf([{ field: 'request', text: 'is not well-formed HTTP' }]);
}

export function answerBrokenConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = answerOf(error.code);
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    `x-request-id: ${newRequestId({ headers: {} })}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
