// Goal: a person's views are theirs alone, at one merchant, and go with the membership; whoever has the list open learns of
// new payments of their merchant. Method: requests as a browser sends them, to a Kassa that runs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { holdPerson } from '../../src/store/people/people.ts';
import { withinTransaction } from '../../src/store/connections/transaction.ts';
import { signIn, Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';
import { whenSomebodyWaits } from '../support/somebody-waits.ts';

const send = (visitor: Visitor, path: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  visitor.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    more: { 'content-type': 'application/x-www-form-urlencoded' },
  });

describe('views of the list of payments', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  const textOf = async (visitor: Visitor, path: string): Promise<string> => (await visitor.ask(path)).text();

  test('saved, opened, replaced and removed, by their owner alone', async () => {
    const { merchant } = await service.openShop();
    const [ada, grace] = [await signIn(service, merchant.id, 'viewer'), await signIn(service, merchant.id, 'admin')];
    const base = `/console/${merchant.id}`;
    const name = '<i>Large & "mine"</i>';
    const saved = await send(ada, `${base}/views`, { name, query: '?least=1000&state=reserved&unknown=1&after=1' });
    assert.equal(saved.status, 303);
    assert.equal(saved.headers.get('location'), `${base}/payments?state=reserved&least=1000`, 'what was understood');
    const page = await textOf(ada, `${base}/payments`);
    assert.ok(page.includes('&lt;i&gt;Large &amp; &quot;mine&quot;&lt;/i&gt;</a>') && !page.includes('<i>'));
    assert.ok(page.includes('payments?state=reserved&amp;least=1000"'));
    assert.match(await textOf(ada, `${base}/payments?least=1000&state=reserved`), /Remove view/);
    assert.ok(!(await textOf(grace, `${base}/payments`)).includes('Large'), 'nobody else’s');
    await send(ada, `${base}/views`, { name, query: '?state=charged' });
    const replaced = await textOf(ada, `${base}/payments`);
    assert.ok(replaced.includes('payments?state=charged"') && !replaced.includes('payments?state=reserved'));
    await send(grace, `${base}/views/remove`, { name });
    assert.ok((await textOf(ada, `${base}/payments`)).includes('Large'));
    await send(ada, `${base}/views/remove`, { name });
    assert.ok(!(await textOf(ada, `${base}/payments`)).includes('Large'));
  });

  test('a name is needed, thirty are the most, and another merchant has none', async () => {
    const [{ merchant }, other] = [await service.openShop(), await service.openShop()];
    const visitor = await signIn(service, merchant.id, 'viewer');
    const save = async (name: string, id = merchant.id): Promise<number> =>
      (await send(visitor, `/console/${id}/views`, { name, query: '' })).status;
    assert.equal(await save(' \0 '), 400);
    assert.equal(await save('view', other.merchant.id), 404);
    for (let n = 0; n < 29; n += 1) assert.equal(await save(`view ${n}`), 303);
    // Of two at once that come to the last place, one has it.
    let both: Promise<number[]> | undefined;
    await withinTransaction(service.pool, async (within) => {
      await holdPerson(within, visitor.email);
      await within.query('select 1 from memberships where merchant_id = $1 for update', [merchant.id]);
      both = Promise.all(['this', 'that'].map((name) => save(name)));
      await Promise.race([both, whenSomebodyWaits(within, 2)]);
    });
    assert.deepEqual((await both)?.toSorted(), [303, 409]);
    assert.equal(await save('one more'), 409);
    assert.equal(await save('view 7'), 303, 'one that is there already');
    // The same person at another merchant has thirty there as well.
    const there = await signIn(service, other.merchant.id, 'viewer', visitor.email);
    const base = `/console/${other.merchant.id}`;
    for (const name of ['one more', 'view 7'])
      assert.equal((await send(there, `${base}/views`, { name, query: '' })).status, 303);
    assert.ok(!(await textOf(there, `${base}/payments`)).includes('view 8'));
    await send(there, `${base}/views/remove`, { name: 'view 7' });
    assert.ok((await textOf(there, `/console/${merchant.id}/payments`)).includes('view 7'));
    await service.pool.query('delete from memberships where merchant_id = $1', [merchant.id]);
    assert.deepEqual(await service.pool.query('select 1 from saved_views where merchant_id = $1', [merchant.id]), []);
  });

  test('the newest payments of a list, to those whose list it is', async () => {
    const [{ merchant, client }, other] = [await service.openShop(), await service.openShop()];
    const visitor = await signIn(service, merchant.id, 'viewer');
    const path = `/console/api/${merchant.id}/payments/newest`;
    const newest = async (query = ''): Promise<string[]> =>
      ((await (await visitor.ask(path + query)).json()) as { ids: string[] }).ids;
    assert.deepEqual(await newest(), []);
    const [first, second] = [await client.create(), await client.createReserved()];
    assert.deepEqual(await newest(), [second, first]);
    assert.deepEqual(await newest('?state=reserved'), [second]);
    assert.equal((await new Visitor(service.url).ask(path)).status, 401);
    assert.equal((await (await signIn(service, other.merchant.id, 'admin')).ask(path)).status, 404);
  });
});
