// The second floor of writes: bare Fastify routes, in a process of their own, that load and commit the same rows in groups
// as Kassa does. Nothing is checked, decided, logged or counted: what a service of this shape could do at most. It gets
// its statements and says its port; it ends with the bench.
import Fastify from 'fastify';
import pg from 'pg';
import { countedOnly, Group } from '../../src/store/connections/group.ts';
import type { BareOperation, BarePlan } from './bare-side.ts';
import { idOfCopy, numberOfCopy } from './copy.ts';

// As in Kassa: two calls of each kind at once.
const CONCURRENCY = 2;
const BOUNDS = countedOnly(128, 100_000);
// New payments, whose numbers nobody else uses.
const FIRST_NEW = 2 ** 45;

/** A prepared statement for an array of numbers, on connections of its own. */
async function openGroup(url: string, name: string, text: string): Promise<Group<number, undefined>> {
  const clients = Array.from({ length: CONCURRENCY }, () => new pg.Client({ connectionString: url }));
  for (const client of clients) await client.connect();
  return new Group<number, undefined>({
    ...BOUNDS,
    concurrency: CONCURRENCY,
    run: async (numbers) => {
      const client = clients.pop() as pg.Client;
      try {
        await client.query({ name, text, values: [numbers], rowMode: 'array' });
        return numbers.map(() => undefined);
      } finally {
        clients.push(client);
      }
    },
  });
}

async function openRoutes({ url, time, operations }: BarePlan): Promise<number> {
  const app = Fastify({ logger: false });
  let nextNew = FIRST_NEW;
  const route = async (path: string, { name, load, commit, member, status }: BareOperation): Promise<void> => {
    const loads = load === undefined ? undefined : await openGroup(url, `load_${name}`, load);
    const commits = await openGroup(url, `commit_${name}`, commit);
    app.post<{ Params: { id?: string } }>(path, async (request, reply) => {
      const { id } = request.params;
      const number = id === undefined ? nextNew++ : numberOfCopy(id);
      await loads?.add(number, 1);
      await commits.add(number, 1);
      if (status === 204) return reply.code(status).send();
      return reply.code(status).send({ [`${name}Id`]: idOfCopy(time, member, number) });
    });
  };
  for (const [path, operation] of Object.entries(operations)) await route(path, operation);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as { port: number }).port;
}

process.once('message', (plan: BarePlan) => {
  openRoutes(plan)
    .then((port) => process.send?.(port))
    .catch((error: unknown) => {
      process.stderr.write(`${(error as Error).stack}\n`);
      process.exit(1);
    });
});
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
