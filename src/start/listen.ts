// How a server of ours begins to listen, and what is said when it cannot.
import type { FastifyInstance } from 'fastify';
import { localUrlOf } from './banner.ts';
import { explainListenError } from './explain.ts';

/** Gives the address at which this machine reaches it. `setting`: what names the port. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  setting = 'PORT',
): Promise<string> {
  await app.ready();
  // Fastify would log each address on which it listens; the banner says it.
  const { level } = app.log;
  app.log.level = 'silent';
  await app.listen({ host, port }).catch((error: unknown) => {
    throw explainListenError(error, { host, port }, setting);
  });
  app.log.level = level;
  return localUrlOf(host, (app.server.address() as { port: number }).port);
}
