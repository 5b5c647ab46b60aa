// Makes a server listen, and explains why it cannot.
import type { FastifyInstance } from 'fastify';
import { localUrlOf } from './banner.ts';
import { explainListenError } from './explain.ts';

/** Returns its local address. `setting` is the one for the port, for error messages. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  setting = 'PORT',
): Promise<string> {
  await app.ready();
  // Fastify would log each address; the banner shows it already.
  const { level } = app.log;
  app.log.level = 'silent';
  await app.listen({ host, port }).catch((error: unknown) => {
    throw explainListenError(error, { host, port }, setting);
  });
  app.log.level = level;
  return localUrlOf(host, (app.server.address() as { port: number }).port);
}
