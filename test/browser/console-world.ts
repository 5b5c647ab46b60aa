// A shop with something on every page of the console: payments in each standing, webhooks that are on, off and failing,
// keys, people, records. What pictures are taken of, and what is looked at for accessibility.
import { KASSA } from '../../src/domain/audit.ts';
import type { Role } from '../../src/domain/role.ts';
import { issueKey, revokeKey } from '../../src/merchants/keys.ts';
import { invitePerson } from '../../src/merchants/people.ts';
import { loadSample } from '../../src/store/sample/load.ts';
import { keepOutcome } from '../../src/store/books/reconcile-outcomes.ts';
import { saveView } from '../../src/store/people/saved-views.ts';
import { aConsumer, CARDS } from '../support/checkout.ts';
import { anItem } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import type { Visitor } from '../support/console.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import type { SharedService, Shop } from '../support/service.ts';

type At = Omit<SharedService, 'close'>;
type Person = Visitor & { readonly email: string };

export type ConsoleWorld = {
  readonly service: At;
  /** Where passkeys work: at a name. */
  readonly site: string;
  readonly shop: Shop;
  /** Without anything in it. */
  readonly emptyShop: Shop;
  /** Of both shops; with a passkey, and a proof that is fresh. */
  readonly admin: Person;
  readonly viewer: Person;
  readonly operator: Person;
  /** Has no proof that is fresh, and no way to give one. */
  readonly stale: Person;
  /** Of a live merchant, by a link alone. */
  readonly weak: Person;
  readonly receiver: Receiver;
  /** Has moved in every way: charged in part, refunded in part. */
  readonly paymentId: string;
  /** Nobody has paid it. */
  readonly openId: string;
  readonly webhookId: string;
  close(): Promise<void>;
};

const NAMES = ['Ada Öberg', 'Björn Lindqvist', 'Maja Sandberg', 'Olle af Ekenstam', 'Saga Wennerström-Björklund'];

const ITEMS = [
  item('kettle', 'Enamel kettle, sea green', 1, 49_900),
  item('cups', 'Stoneware cups, hand-thrown', 4, 15_900),
  item('tea', 'Black tea with sea buckthorn', 0.5, 24_000, 'kg'),
];
const TOTAL = 49_900 + 4 * 15_900 + 12_000;

function item(reference: string, name: string, quantity: number, price: number, unit = 'pcs'): object {
  const gross = price * quantity;
  const net = (gross * 4) / 5;
  const amounts = { taxRate: 2_500, taxAmount: gross - net, grossTotalAmount: gross, netTotalAmount: net };
  return anItem({ reference, name, quantity, unit, unitPrice: (price * 4) / 5, ...amounts });
}

async function createPayment({ client }: Shop, number: number): Promise<string> {
  const [firstName = '', ...rest] = (NAMES[number % NAMES.length] ?? '').split(' ');
  const privatePerson = { firstName, lastName: rest.join(' ') };
  const consumer = aConsumer({ privatePerson, email: `${firstName.toLowerCase()}@example.test` });
  const made = await client.must(201, 'POST', '/v1/payments', {
    order: { items: ITEMS, amount: TOTAL, currency: 'SEK', reference: `2026-${10_400 + number}` },
    checkout: { url: 'https://shop.example/checkout', merchantHandlesConsumerData: true, consumer },
  });
  return made.paymentId as string;
}

/** One payment for each way that it can have gone; gives one that has gone many ways, and one that nobody has paid. */
async function makePayments(shop: Shop): Promise<{ readonly paymentId: string; readonly openId: string }> {
  const { client } = shop;
  let made = 0;
  const create = (): Promise<string> => createPayment(shop, (made += 1));
  const reserve = async (paymentId: string, card: string = CARDS.approved): Promise<void> =>
    void (await client.send('POST', `/v1/sandbox/payments/${paymentId}/reserve`, { card }));
  const reserved = async (card?: string): Promise<string> => {
    const paymentId = await create();
    await reserve(paymentId, card);
    return paymentId;
  };
  await reserve(await create(), CARDS.noFunds);
  await client.cancel(await reserved(), TOTAL);
  await client.charge(await reserved(CARDS.mastercard), TOTAL);
  const refunded = await reserved();
  await client.refund(await client.charge(refunded, TOTAL), TOTAL);
  const openId = await create();
  await reserved();
  const paymentId = await create();
  await reserve(paymentId, CARDS.declined);
  await reserve(paymentId);
  const orderItems = [ITEMS[0], ITEMS[2]];
  const { chargeId } = await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, {
    amount: 61_900,
    orderItems,
  });
  const refund = { amount: 12_000, orderItems: [ITEMS[2]] };
  await client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, refund);
  return { paymentId, openId };
}

async function makeKeys({ service: { pool }, shop }: Pick<ConsoleWorld, 'service' | 'shop'>): Promise<void> {
  const { id } = shop.merchant;
  await issueKey(pool, KASSA, id, { name: 'Bookkeeping, nightly export', scopes: ['read'] });
  await issueKey(pool, KASSA, id, { name: 'Warehouse', expires: { afterDays: 90 } });
  const old = await issueKey(pool, KASSA, id, { name: 'The shop before the move' });
  if (old.kind === 'issued') await revokeKey(pool, KASSA, old.key.id, id);
}

/** The first takes what it is sent, but not always; another one is failing, and one is switched off. */
async function makeWebhooks({ service, shop, receiver }: Pick<ConsoleWorld, 'service' | 'shop' | 'receiver'>) {
  const { client } = shop;
  receiver.react((response) => response.writeHead(500).end('<b>The stock is being counted.</b>'), 200);
  const { webhookId } = await client.must(201, 'POST', '/v1/webhooks', { url: receiver.url });
  const others = ['https://hooks.shop.example/kassa/events-of-the-old-warehouse', 'https://crm.example/in'];
  for (const url of others)
    await client.must(201, 'POST', '/v1/webhooks', { url, events: ['payment.charge.created', 'payment.created'] });
  const set = 'update webhooks set failing_since = now(), disabled_at = null where merchant_id = $1 and url = $2';
  await service.pool.query(set, [shop.merchant.id, others[0]]);
  return webhookId as string;
}

async function makePeople(
  { service, shop, emptyShop }: Pick<ConsoleWorld, 'service' | 'shop' | 'emptyShop'>,
  host: string | undefined,
) {
  const { pool } = service;
  const { id: merchantId } = shop.merchant;
  const enter = (role: Role, name: string): Promise<Person> =>
    signIn(service, merchantId, role, host === undefined ? undefined : `${name}@${host}`);
  const [admin, viewer, stale, operator] = [
    await enter('admin', 'ada'),
    await enter('viewer', 'bo'),
    await enter('admin', 'cleo'),
    await enter('operator', 'dag'),
  ];
  const invited = {
    email: `bookkeeping-of-the-whole-group@${merchantId}.example`,
    merchantId,
    role: 'viewer',
  } as const;
  await invitePerson(pool, KASSA, invited);
  await pool.query(
    `insert into memberships (person_id, merchant_id, role) select id, $1, 'admin' from people where email = $2`,
    [emptyShop.merchant.id, admin.email],
  );
  await pool.query(
    `insert into passkeys (id, person_id, name, public_key, counter, transports)
     select $1, id, 'Laptop at work', '\\x01', 0, '{internal}' from people where email = $2`,
    [`passkey-${merchantId}`, admin.email],
  );
  await pool.query(
    `update sessions set proved_at = now() - interval '1 hour'
     where person_id = (select id from people where email = $1)`,
    [stale.email],
  );
  await pool.query(
    `insert into link_requests (id, hash, person_id, merchant_id, asked_by_id, asked_by, expires_at)
     select 'request_' || right(id, 16), sha256(id::bytea), id, $1, 'person_0', 'cleo@havtorn.example',
       now() + interval '1 day'
     from people where email = $2`,
    [merchantId, operator.email],
  );
  await pool.query(`update people set recovery_by = 'ada@havtorn.example', recovery_at = now() where email = $1`, [
    viewer.email,
  ]);
  const [person] = await pool.query<{ id: string }>('select id from people where email = $1', [admin.email]);
  const owner = { personId: person?.id ?? '', merchantId };
  await saveView(pool, owner, { name: 'To be charged', query: 'state=reserved' });
  return { admin, viewer, stale, operator };
}

/** `sample`: how many payments of the weeks before are made up, so that there are figures. */
export async function openConsoleWorld(service: At, sample = 0): Promise<ConsoleWorld> {
  const shop = await service.openShop({ name: 'Havtorn & Salt' });
  const emptyShop = await service.openShop({ name: 'Havtorn & Salt, the shop that is about to open' });
  if (sample > 0) await loadSample(service.pool, [{ merchant: shop.merchant, payments: sample }], Date.now());
  const receiver = await openReceiver();
  const webhookId = await makeWebhooks({ service, shop, receiver });
  // Whoever looks at pictures wants to see people; others share the service with people of their own.
  const people = await makePeople({ service, shop, emptyShop }, sample > 0 ? 'havtorn.example' : undefined);
  const live = await service.openShop({ live: true, name: 'Havtorn & Salt, live' });
  const weak = await signIn(service, live.merchant.id, 'admin', undefined, { isWeak: true });
  await makeKeys({ service, shop });
  const payments = await makePayments(shop);
  await receiver.until(1);
  // By a bank of its own: others who share the service compare, too.
  const differing = [{ paymentId: payments.paymentId }, { paymentId: payments.openId }];
  await keepOutcome(service.pool, sample > 0 ? 'bank' : `bank-${shop.merchant.id}`, differing);
  const site = service.url.replace('127.0.0.1', 'localhost');
  const close = (): Promise<void> => receiver.close();
  return { service, site, shop, emptyShop, receiver, webhookId, weak, ...people, ...payments, close };
}
