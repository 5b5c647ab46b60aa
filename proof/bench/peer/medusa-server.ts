// Medusa's payment module behind thin routes, in a process of its own: each route is one call of the module, or the two
// that make a payment, and sends what came of it. It checks no key and parses no more than ids. The packages are those of
// the folder that it is told of, and none of Kassa's. It says its port, lays in stocks, and ends with the bench.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Fastify from 'fastify';

export type MedusaOrder =
  | { readonly kind: 'open'; readonly folder: string; readonly url: string; readonly connections: number }
  | { readonly kind: 'lay in'; readonly state: 'authorized' | 'captured'; readonly count: number };

type Named = { readonly id: string };

/** As much of the module as is called here. */
type PaymentModule = {
  createPaymentCollections(collection: object): Promise<Named>;
  createPaymentSession(collectionId: string, session: object): Promise<Named>;
  authorizePaymentSession(sessionId: string, context: object): Promise<Named>;
  capturePayment(capture: object): Promise<Named>;
  refundPayment(refund: object): Promise<Named>;
  cancelPayment(paymentId: string): Promise<Named>;
  retrievePaymentCollection(id: string, config: object): Promise<object>;
};

type MedusaApp = {
  readonly modules: Readonly<Record<string, PaymentModule | undefined>>;
  onApplicationStart(): Promise<void>;
};

const AT_ONCE = 8;
const MONEY = { currency_code: 'sek', amount: 1_200 };
const WHOLE = { relations: ['payment_sessions', 'payments', 'payments.captures', 'payments.refunds'] };

async function openModule({
  folder,
  url,
  connections,
}: Extract<MedusaOrder, { kind: 'open' }>): Promise<PaymentModule> {
  const load = createRequire(join(folder, 'package.json'));
  const { MedusaApp, MedusaAppMigrateUp } = load('@medusajs/framework/modules-sdk') as {
    readonly MedusaApp: (options: object) => Promise<MedusaApp>;
    readonly MedusaAppMigrateUp: (options: object) => Promise<void>;
  };
  const { ContainerRegistrationKeys, Modules, ModulesSdkUtils } = load('@medusajs/framework/utils') as {
    ContainerRegistrationKeys: { PG_CONNECTION: string };
    Modules: { PAYMENT: string };
    ModulesSdkUtils: { createPgConnection(options: object): unknown };
  };
  const connection = ModulesSdkUtils.createPgConnection({ clientUrl: url, pool: { min: 2, max: connections } });
  const options = {
    modulesConfig: { [Modules.PAYMENT]: { resolve: load.resolve('@medusajs/payment') } },
    sharedResourcesConfig: { database: { clientUrl: url } },
    injectedDependencies: { [ContainerRegistrationKeys.PG_CONNECTION]: connection },
  };
  await MedusaAppMigrateUp(options);
  const app = await MedusaApp(options);
  await app.onApplicationStart();
  const found = app.modules[Modules.PAYMENT];
  if (found === undefined) throw new Error('there is no payment module');
  return found;
}

async function create(payments: PaymentModule): Promise<{ collection: Named; session: Named }> {
  const collection = await payments.createPaymentCollections(MONEY);
  const session = await payments.createPaymentSession(collection.id, {
    ...MONEY,
    provider_id: 'pp_system_default',
    data: {},
    context: {},
  });
  return { collection, session };
}

type Laid = { readonly collections: string[]; readonly payments: string[] };

/** Payments in that state, a few at once. */
async function layIn(
  payments: PaymentModule,
  { state, count }: Extract<MedusaOrder, { kind: 'lay in' }>,
): Promise<Laid> {
  const laid: Laid = { collections: [], payments: [] };
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { collection, session } = await create(payments);
      const payment = await payments.authorizePaymentSession(session.id, {});
      if (state === 'captured') await payments.capturePayment({ payment_id: payment.id });
      laid.collections.push(collection.id);
      laid.payments.push(payment.id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return laid;
}

async function serve(payments: PaymentModule): Promise<number> {
  const app = Fastify({ logger: false });
  type OfOne = { Params: { id: string } };
  app.post('/payments', async (_request, reply) => reply.code(201).send((await create(payments)).collection));
  app.get<OfOne>('/payments/:id', ({ params }) => payments.retrievePaymentCollection(params.id, WHOLE));
  app.post<OfOne>('/payments/:id/captures', async ({ params }, reply) =>
    reply.code(201).send(await payments.capturePayment({ payment_id: params.id })),
  );
  app.post<OfOne>('/payments/:id/refunds', async ({ params }, reply) =>
    reply.code(201).send(await payments.refundPayment({ payment_id: params.id })),
  );
  app.post<OfOne>('/payments/:id/cancels', async ({ params }, reply) =>
    reply.code(201).send(await payments.cancelPayment(params.id)),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as { port: number }).port;
}

let module: PaymentModule | undefined;

async function obey(order: MedusaOrder): Promise<number | Laid> {
  if (order.kind === 'open') {
    module = await openModule(order);
    return serve(module);
  }
  if (module === undefined) throw new Error('nothing is open');
  return layIn(module, order);
}

process.on('message', (order: MedusaOrder) => {
  obey(order)
    .then((answer) => process.send?.(answer))
    .catch((error: unknown) => {
      process.stderr.write(`medusa: ${(error as Error).stack}\n`);
      process.exit(1);
    });
});
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
