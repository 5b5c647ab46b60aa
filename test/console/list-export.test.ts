// Goal: an export is all that its list would show, exact, harmless in a spreadsheet, and whole or visibly broken. Method:
// payments of a shop, some written as rows since there have to be many, exported as a browser does.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ROLES } from '../../src/domain/role.ts';
import { listAudit } from '../../src/store/audit/audit.ts';
import { withinTransaction } from '../../src/store/connections/transaction.ts';
import { aCreate } from '../support/client.ts';
import { signIn, Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

// More than two pages of an export.
const MANY = 1_234;

/** The fields of a text as RFC 4180 has them. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('exports of payments', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  // decision: phone-numbers-in-an-export
  test('CSV has exact decimals and no formulas; JSON lines say the same', async () => {
    const { merchant, client } = await service.openShop();
    const consumer = {
      email: '+ada@example.com',
      phoneNumber: { prefix: '+46', number: '701234567' },
      privatePerson: { firstName: '=HYPERLINK("http://evil.example","x")', lastName: 'Å, "B"' },
      shippingAddress: { addressLine1: 'Gatan 1', postalCode: '11122', city: 'Stockholm', country: 'SWE' },
    };
    for (const [amount, currency, reference] of [
      [1, 'SEK', '@sum(1)'],
      [5_000, 'JPY', '-1+1'],
      [123_456, 'KWD', 'plain; -1 ;=1+1'],
    ] as const) {
      const phoneNumber = currency === 'KWD' ? { number: '0701234567' } : consumer.phoneNumber;
      const body = aCreate(amount, { merchantHandlesConsumerData: true, consumer: { ...consumer, phoneNumber } });
      const made = { ...body, order: { ...body.order, currency, reference } };
      await client.must(201, 'POST', '/v1/payments', made);
    }
    const visitor = await signIn(service, merchant.id, 'viewer');
    const answer = await visitor.post(`/console/${merchant.id}/payments.csv?sort=oldest`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="payments-\d+-[\d-]+\.csv"$/);
    const text = await answer.text();
    const [head = [], ...rows] = readCsv(text);
    const column = (name: string): (string | undefined)[] => rows.map((row) => row[head.indexOf(name)]);
    assert.deepEqual(column('amount'), ['0.01', '5000', '123.456']);
    assert.deepEqual(column('reference'), ["'@sum(1)", "'-1+1", "plain;' -1 ;'=1+1"]);
    assert.deepEqual(column('phone'), ['(+46) 701234567', '(+46) 701234567', '070-1234567']);
    assert.equal(column('name')[0], `'=HYPERLINK("http://evil.example","x") Å, "B"`);
    for (const field of rows.flat()) assert.doesNotMatch(field, /^[=+\-@\t\r]/);
    const lines = (await (await visitor.post(`/console/${merchant.id}/payments.jsonl?sort=oldest`)).text()).split('\n');
    const objects = lines.slice(0, -1).map((line) => JSON.parse(line) as Record<string, string>);
    assert.deepEqual(
      objects.map(({ reference, amount, state, phone }) => [reference, amount, state, phone]),
      [
        ['@sum(1)', '0.01', 'created', '+46701234567'],
        ['-1+1', '5000', 'created', '+46701234567'],
        ['plain; -1 ;=1+1', '123.456', 'created', '0701234567'],
      ],
    );
    const filtered = await (await visitor.post(`/console/${merchant.id}/payments.csv?currency=JPY`)).text();
    assert.deepEqual(readCsv(filtered).length, 2, 'what is filtered, and the head');
    assert.equal((await visitor.post(`/console/${merchant.id}/payments.csv?currency=ZZZ`)).status, 400);
  });

  test('an app by which it was paid stands in CSV and in the list by its name, and can be filtered by', async () => {
    const { merchant, client } = await service.openShop();
    const body = { ...aCreate(), paymentMethodsConfiguration: [{ name: 'Swish' }] };
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    await client.createReserved();
    const visitor = await signIn(service, merchant.id, 'viewer');
    const text = await (await visitor.post(`/console/${merchant.id}/payments.csv?method=Swish`)).text();
    const [head = [], ...rows] = readCsv(text);
    assert.deepEqual(
      rows.map((row) => [row[head.indexOf('method')], row[head.indexOf('lastFour')]]),
      [['Swish', '']],
    );
    const page = await (await visitor.ask(`/console/${merchant.id}/payments/${paymentId}`)).text();
    assert.match(page, /Swish/);
  });

  test('every page of a long one; what fails in the middle breaks it off', async () => {
    const { merchant } = await service.openShop();
    const [part] = merchant.parts;
    await service.pool.query(
      `insert into payments (part, id, merchant_id, version, amount, currency, items, checkout, consumer)
       select $1::int, (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || lpad(to_hex($1::int), 3, '0') || '8'
         || lpad(to_hex(n), 15, '0'))::uuid, $2, 1, n, 'SEK', '[]', '{}', '{}' from generate_series(1, ${MANY}) as n`,
      [part, merchant.id],
    );
    const visitor = await signIn(service, merchant.id, 'viewer');
    const path = `/console/${merchant.id}/payments.csv`;
    const rows = readCsv(await (await visitor.post(path)).text()).slice(1);
    assert.equal(new Set(rows.map(([id]) => id)).size, MANY);
    assert.equal(rows.length, MANY);
    // The oldest, on the last page: a consumer that no version of Kassa writes.
    await service.pool.query(`update payments set consumer = 'null' where merchant_id = $1 and amount = 1`, [
      merchant.id,
    ]);
    const broken = await visitor.post(path);
    assert.equal(broken.status, 200, 'it had begun');
    await assert.rejects(broken.text());
    const records = await listAudit(service.pool, merchant, { limit: 10, action: 'payment.export' });
    assert.deepEqual(
      records.map(({ after: facts }) => facts),
      [
        { format: 'csv', rows: 1_200, complete: false },
        { format: 'csv', rows: MANY, complete: true },
      ],
    );
    await service.pool.query('delete from payments where merchant_id = $1', [merchant.id]);
  });

  test('each leaves one record: who, what it was narrowed by, how many; not what was searched for', async () => {
    const { merchant, client } = await service.openShop();
    for (let n = 0; n < 3; n += 1) await client.create();
    const visitor = await signIn(service, merchant.id, 'viewer');
    const path = `/console/${merchant.id}/payments`;
    await (await visitor.post(`${path}.csv?state=created&least=1&sort=largest`)).text();
    await (await visitor.post(`${path}.jsonl?q=ada.lovelace@example.com`)).text();
    // What is refused takes nothing away.
    assert.equal((await visitor.post(`${path}.csv?currency=ZZZ`)).status, 400);
    assert.equal((await visitor.ask(`${path}.csv`)).status, 405, 'opening an address is no export');
    const [searched, filtered, ...others] = await listAudit(service.pool, merchant, {
      limit: 10,
      action: 'payment.export',
    });
    assert.deepEqual(others, []);
    assert.deepEqual(
      [filtered?.actor.name, filtered?.subject, filtered?.after],
      [
        visitor.email,
        String(merchant.id),
        { format: 'csv', rows: 3, complete: true, state: 'created', least: '1', sort: 'largest' },
      ],
    );
    assert.deepEqual(searched?.after, { format: 'jsonl', rows: 0, complete: true, search: ['email', 'reference'] });
  });

  test('three of a merchant at once, whoever asks; another merchant has its own', async () => {
    const [{ merchant, client }, other] = [await service.openShop(), await service.openShop()];
    await client.create();
    const [ada, grace] = [await signIn(service, merchant.id, 'viewer'), await signIn(service, merchant.id, 'viewer')];
    const stranger = await signIn(service, other.merchant.id, 'viewer');
    const path = `/console/${merchant.id}/payments.csv`;
    const answers: Response[] = [];
    await withinTransaction(service.pool, async (within) => {
      // An export ends with its record: those of the merchant wait for theirs.
      await within.query('select 1 from audit_heads where merchant_id = $1 for update', [merchant.id]);
      for (const visitor of [ada, grace, ada, grace]) answers.push(await visitor.post(path));
      assert.equal((await stranger.post(`/console/${other.merchant.id}/payments.csv`)).status, 200);
    });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 429],
    );
    for (const answer of answers) await answer.text();
    assert.equal((await grace.post(path)).status, 200, 'there is room again');
  });

  test('for every role of the merchant, and for nobody else', async () => {
    const [{ merchant, client }, other] = [await service.openShop(), await service.openShop()];
    await client.create();
    const path = `/console/${merchant.id}/payments.csv`;
    for (const role of ROLES) {
      const answer = await (await signIn(service, merchant.id, role)).post(path);
      assert.deepEqual([answer.status, (await answer.text()).split('\r\n').length], [200, 3], role);
    }
    assert.equal((await (await signIn(service, other.merchant.id, 'admin')).post(path)).status, 404);
    assert.equal((await new Visitor(service.url).post(path)).status, 303);
  });
});
