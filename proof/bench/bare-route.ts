// The floor of reads: a bare Fastify route, in a process of its own, that answers the bytes of a payment without
// looking anything up. It gets the text and says its port; asked again, it says what it used of a processor. It ends with
// the bench.
import Fastify from 'fastify';

const sayUsage = (): void => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1e6);
};

process.once('message', (body: string) => {
  const app = Fastify({ logger: false });
  app.get('/v1/payments/:paymentId', (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(body),
  );
  app
    .listen({ host: '127.0.0.1', port: 0 })
    .then(() => {
      process.on('message', sayUsage);
      process.send?.((app.server.address() as { port: number }).port);
    })
    .catch(() => process.exit(1));
});
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
