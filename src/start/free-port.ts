// Checks that a port is free, before creating a folder or a database.
import { createServer } from 'node:net';

/** Binds the port and releases it. Throws the errors of listening. */
export async function requireFreePort({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ host, port }, resolve));
  await new Promise((resolve) => server.close(resolve));
}
