// Whether a port can be had, for those who would make a folder or a database first.
import { createServer } from 'node:net';

/** Binds the port and lets it go again. Throws what listening would throw. */
export async function requireFreePort({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ host, port }, resolve));
  await new Promise((resolve) => server.close(resolve));
}
