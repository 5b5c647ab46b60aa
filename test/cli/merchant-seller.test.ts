// `kassa merchant update`: who sells and where the money goes. Method: the command on a database of its own; what it took
// is shown, and read from the database; what a live merchant without it can do, through a service.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findMerchant } from '../../src/store/merchants/merchants.ts';
import { aCreate } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import type { Ran } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

let service: Service;
let merchantId: number;
before(async () => {
  service = await startService();
  merchantId = (await service.openShop()).merchant.id;
});
after(() => service.stop());

const kassa = (...args: string[]): Promise<Ran> =>
  runCommand(['merchant', ...args], { env: { DATABASE_URL: service.databaseUrl } });
const update = (...args: string[]): Promise<Ran> => kassa('update', String(merchantId), ...args);

const WHOLE = [
  ['--seller-name', 'My shop AB'],
  ['--address', 'Storgatan 1'],
  ['--address-2', 'Port B'],
  ['--postal-code', '111 22'],
  ['--city', 'Stockholm'],
  ['--country', 'se'],
  ['--vat-number', 'SE 556016-0680 01'],
  ['--company-number', '556016-0680'],
  ['--bankgiro', '991-2346'],
  ['--plusgiro', '90 19 50-6'],
  ['--iban', 'SE35 5000 0000 0549 1000 0003'],
  ['--bic', 'ESSESESS'],
].flat();

const KEPT = {
  name: 'My shop AB',
  address: 'Storgatan 1',
  address2: 'Port B',
  postalCode: '111 22',
  city: 'Stockholm',
  country: 'SWE',
  vatNumber: 'SE556016068001',
  companyNumber: '556016-0680',
  bankgiro: '9912346',
  plusgiro: '9019506',
  iban: 'SE3550000000054910000003',
  bic: 'ESSESESS',
};

// decision: seller-on-an-invoice
test('everything of a seller is kept in one spelling, shown, changed one by one, and taken away', async () => {
  const { code, out } = await update(...WHOLE);
  assert.equal(code, 0);
  assert.match(out, /^seller\.bankgiro +9912346$/m);
  assert.match(out, /^seller\.name +My shop AB$/m);
  assert.deepEqual((await findMerchant(service.pool, merchantId))?.seller, KEPT);
  assert.deepEqual(JSON.parse((await kassa('show', String(merchantId), '--json')).out).seller, KEPT);
  const listed = JSON.parse((await kassa('list', '--json')).out).find(
    (one: { merchantId: number }) => one.merchantId === merchantId,
  );
  assert.deepEqual(listed.seller, KEPT);
  assert.equal((await update('--city', 'Malmö', '--bic', 'none')).code, 0);
  const { bic: _, ...rest } = KEPT;
  assert.deepEqual((await findMerchant(service.pool, merchantId))?.seller, { ...rest, city: 'Malmö' });
});

// decision: seller-on-an-invoice
test('what is wrong is refused by name, and nothing is changed', async () => {
  const kept = await findMerchant(service.pool, merchantId);
  for (const [args, text] of [
    [
      ['--iban', 'SE36 5000 0000 0549 1000 0003'],
      '--iban is SE3650000000054910000003; its third and fourth characters must be 35 to match the others, not 36: one of them is mistyped.',
    ],
    [['--iban', 'SE'], /^--iban is SE; it must be an IBAN: a two-letter country code, two check digits, and 11 to 30 /],
    [
      ['--bankgiro', '991-2347'],
      '--bankgiro is 9912347; its last digit must be 6 to match the others, not 7: one of them is mistyped.',
    ],
    [['--bankgiro', '12'], '--bankgiro is 12; it must have seven or eight digits.'],
    [['--plusgiro', '1'], '--plusgiro is 1; it must have two to eight digits.'],
    [['--vat-number', 'SE12'], '--vat-number is SE12; it must look like SE556703748501 in SWE.'],
    [['--company-number', '556016-0681'], /^--company-number is 556016-0681; its last digit must be 0 /],
    [['--company-number', '5560160'], '--company-number is 5560160; it must have 10 digits in SWE.'],
    [['--country', 'Sweden'], /^--country is Sweden; it must be a country code of two or three letters, such as SE/],
    [
      ['--account', '86011117947'],
      '--account is 86011117947; it is only for sellers in Norway or Denmark, and the country is SWE. --iban works in every country.',
    ],
    [['--creditor-number', '12345678'], /^--creditor-number is 12345678; it is only for sellers in Denmark, /],
    [['--bic', 'X'], /^--bic is X; it must have eight or eleven letters and digits, such as ESSESESS\.$/],
    [['--address', ' '], '--address is ""; it must be one line of 1 to 128 characters.'],
    [['--address-2', 'one\ntwo'], /^--address-2 is "one\\ntwo"; it must be one line of 1 to 128 characters\.$/],
    [
      ['--seller-name', 'a'.repeat(129)],
      new RegExp(`^--seller-name is ${'a'.repeat(60)}…; it must be one line of 1 to 128 `),
    ],
    [['--postal-code', '1'.repeat(17)], /^--postal-code is 1{17}; it must be one line of 1 to 16 characters/],
    [['--city', ''], /^--city is ""; it must be one line of 1 to 128/],
  ] as const) {
    const { code, err } = await update(...args);
    assert.equal(code, 1, args.join(' '));
    const said = err.slice('kassa: '.length, -1);
    if (typeof text === 'string') assert.equal(said, text);
    else assert.match(said, text);
  }
  assert.deepEqual(await findMerchant(service.pool, merchantId), kept);
});

test('several wrong fields are told at once, also those that were kept from before', async () => {
  const kept = await findMerchant(service.pool, merchantId);
  const { code, err } = await update('--iban', 'SE3', '--bankgiro', '1', '--bic', 'x');
  assert.equal(code, 1);
  assert.deepEqual(err.trimEnd().split('\n'), [
    "kassa: Nothing was changed: 3 of the seller's details are invalid:",
    '  --iban is SE3; it must be an IBAN: a two-letter country code, two check digits, and 11 to 30 letters and digits.',
    '  --bic is X; it must have eight or eleven letters and digits, such as ESSESESS.',
    '  --bankgiro is 1; it must have seven or eight digits.',
  ]);
  const moved = await update('--country', 'NO');
  assert.match(moved.err, /^kassa: Nothing was changed: 4 of the seller's details are invalid/);
  assert.match(
    moved.err,
    /^ {2}--vat-number is SE556016068001 \(current value\); it must look like NO923456783MVA in NOR\.$/m,
  );
  assert.match(
    moved.err,
    /^ {2}--plusgiro is 9019506 \(current value\); it is only for sellers in Sweden, and the country is NOR\./m,
  );
  assert.match(
    (await update('--country', 'none')).err,
    /--bankgiro is 9912346 \(current value\); it requires --country, /,
  );
  assert.deepEqual(await findMerchant(service.pool, merchantId), kept);
});

// decision: seller-on-an-invoice
test('a live merchant offers invoices once it has told who sells, and keeps that', async () => {
  const { merchant, client } = await service.openShop({ live: true });
  const live = (...args: string[]): Promise<Ran> => kassa('update', String(merchant.id), ...args);
  const show = async (id = merchant.id) => JSON.parse((await kassa('show', String(id), '--json')).out);
  const methodsOf = async (paymentId: string): Promise<unknown> => {
    const rows = await service.pool.query<{ methods: unknown }>(
      `select checkout -> 'methods' as methods from payments where id = $1`,
      [paymentId],
    );
    return rows[0]?.methods;
  };
  const fee = {
    reference: 'fee',
    name: 'Fee',
    quantity: 1,
    unit: 'pcs',
    unitPrice: 100,
    grossTotalAmount: 100,
    netTotalAmount: 100,
  };
  const asking = [
    { paymentMethodsConfiguration: [{ name: 'EasyInvoice' }] },
    { paymentMethodsConfiguration: [{ name: 'Card' }, { name: 'Invoice' }] },
    { paymentMethods: [{ name: 'easy-invoice', fee }] },
  ];

  assert.equal((await show()).offersInvoices, false);
  assert.equal((await show(merchantId)).offersInvoices, true, 'a test merchant needs nothing');
  assert.deepEqual(await methodsOf(await client.create()), ['Visa', 'MasterCard']);
  for (const wanted of asking) {
    const { errors } = await client.must(400, 'POST', '/v1/payments', { ...aCreate(), ...wanted });
    assert.match(errors[Object.keys(wanted)[0] as string][0], /asks for an invoice, and this merchant can issue none/);
  }
  assert.equal((await live(...WHOLE)).code, 0);
  assert.equal((await show()).offersInvoices, true);
  assert.equal(await methodsOf(await client.create()), null);
  for (const wanted of asking) await client.must(201, 'POST', '/v1/payments', { ...aCreate(), ...wanted });
  const { code, err } = await live('--address', 'none');
  assert.equal(code, 1);
  assert.match(err, /^kassa: A live merchant that offers invoices needs this value/);
  assert.equal((await live('--bankgiro', 'none')).code, 0, 'there are other ways to pay');
});
