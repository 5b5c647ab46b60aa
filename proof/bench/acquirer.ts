// An acquirer in a process of its own that approves at once and keeps no book, or never answers at all: what is measured
// against it is Kassa's part alone. It gets to know which of both it is, and says its port; it ends with the bench.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Manner = 'approves' | 'hangs';

process.once('message', (manner: Manner) => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (manner === 'hangs') return;
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string };
      const body = JSON.stringify({ id, state: 'approved', at: Date.now() });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    });
  });
  server.keepAliveTimeout = 72_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
