// Goal: a form that was sent by who has to show first that it is still them is done once they have, once, and by nobody
// else; nobody reads of it in an address or in the database. Method: forms sent as a browser sends them, at a Kassa that
// runs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newActKey } from '../../src/console/payment/act.ts';
import { listKeys } from '../../src/store/merchants/keys.ts';
import { listWebhooks } from '../../src/store/events/webhooks.ts';
import { signIn, Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

describe('a form that asks for a fresh proof', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  const setProof = ({ email }: Visitor & { email: string }, ago: string) =>
    service.pool.query(
      `update sessions set proved_at = now() - interval '${ago}' where person_id = (select id from people where email = $1)`,
      [email],
    );

  async function open() {
    const { merchant } = await service.openShop({ live: true });
    const admin = await signIn(service, merchant.id, 'admin');
    await setProof(admin, '1 hour');
    const names = async () => (await listKeys(service.pool, merchant.id)).map(({ name }) => name);
    return { merchant, admin, keys: `/console/${merchant.id}/keys`, names };
  }

  /** Sends a form, and gives where it leads to and the cookie in which it is kept. */
  async function send(visitor: Visitor, path: string, fields: Readonly<Record<string, string>>) {
    const answer = await visitor.submit(path, fields);
    assert.equal(answer.status, 303);
    const kept = answer.headers.getSetCookie().find((each) => each.startsWith('kassa-form=')) ?? '';
    return { location: answer.headers.get('location') ?? '', kept: kept.replace(/;.*/, ''), cookie: kept };
  }

  const inputsOf = (page: string): Record<string, string> =>
    Object.fromEntries(
      Array.from(page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g), ([, name, value]) => [
        name,
        value,
      ]),
    ) as Record<string, string>;

  test('is kept, and sent on once after it, with all that was typed', async () => {
    const { admin, keys, names } = await open();
    const there = await names();
    const typed = { name: 'Önly &read "it"', read: 'on', days: '30' };
    const { location, kept, cookie } = await send(admin, `${keys}/create`, typed);
    assert.match(location, /^\/console\/prove\?next=[^&]+&form=[0-9a-f]{12}$/);
    assert.match(cookie, /^kassa-form=[\w-]{80,3900}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900$/);
    assert.doesNotMatch(location + Buffer.from(kept.slice(11), 'base64url').toString(), /read|nly/);
    const more = { cookie: `${admin.cookie}; ${kept}` };
    const asking = await (await admin.ask(location, { more })).text();
    assert.match(asking, /What you entered is kept/);
    assert.doesNotMatch(asking, /read &quot;it/);
    await setProof(admin, '0 minutes');
    const answer = await admin.ask(location, { more });
    assert.match(answer.headers.getSetCookie().join(), /kassa-form=; .*Max-Age=0/, 'the browser forgets it');
    const page = await answer.text();
    assert.match(page, new RegExp(`data-page="kept-form"[^]*action="${keys}/create"`));
    const fields = inputsOf(page);
    assert.deepEqual({ ...fields, name: typed.name }, typed);
    assert.equal(fields['name'], 'Önly &amp;read &quot;it&quot;');
    assert.deepEqual(await names(), there, 'opening it does nothing');
    // Whoever comes back to the address has nothing to send any more.
    assert.equal((await admin.ask(location)).headers.get('location'), keys);
    assert.equal((await admin.submit(`${keys}/create`, typed)).status, 303);
    assert.deepEqual(new Set(await names()), new Set([...there, typed.name]));
    assert.equal((await names()).length, there.length + 1);
  });

  test('of somebody else, of another name, changed, or too old: nothing is sent on', async () => {
    const { merchant, admin, keys } = await open();
    const { location, kept } = await send(admin, `${keys}/create`, { name: 'x', read: 'on', days: '30' });
    await setProof(admin, '0 minutes');
    const other = await signIn(service, merchant.id, 'admin');
    const leadsOn = async (who: Visitor, path: string, cookie: string): Promise<void> => {
      const answer = await who.ask(path, { more: { cookie: `${who.cookie}; ${cookie}` } });
      assert.equal(answer.headers.get('location'), keys, cookie);
      assert.doesNotMatch(answer.headers.getSetCookie().join(), /kassa-form/);
    };
    await leadsOn(other, location, kept);
    await leadsOn(admin, location.replace(/form=.{6}/, 'form=000000'), kept);
    await leadsOn(admin, location, `${kept.slice(0, -4)}AAAA`);
    await leadsOn(admin, location, 'kassa-form=short');
    assert.equal((await admin.ask(location, { more: { cookie: `${admin.cookie}; ${kept}` } })).status, 200);
  });

  test('that holds more than a browser keeps is typed again, and one with a password is not kept', async () => {
    const { admin, keys } = await open();
    const long = await send(admin, `${keys}/create`, { name: 'x'.repeat(2_600), read: 'on', days: '' });
    assert.deepEqual([long.kept, long.location.endsWith('&again=yes')], ['', true]);
    const password = await send(admin, '/console/account/password', { password: 'correct horse battery', code: '1' });
    assert.deepEqual([password.kept, password.location.endsWith('&again=yes')], ['', true]);
  });

  // decision: idle-sessions-at-a-live-merchant
  test('of an idle session is sent on after signing in again, by that person alone', async () => {
    const { merchant, admin, keys, names } = await open();
    const idle = (who: { email: string }) =>
      service.pool.query(
        `update sessions set seen_at = now() - interval '1 hour' where person_id = (select id from people where email = $1)`,
        [who.email],
      );
    await idle(admin);
    const typed = { name: 'From before', read: 'on', days: '30' };
    const { location, kept } = await send(admin, `${keys}/create`, typed);
    const [path, query] = location.split('?next=') as [string, string];
    assert.equal(path, '/console/sign-in');
    const next = decodeURIComponent(query);
    assert.match(next, /^\/console\/prove\?next=[^&]+&form=[0-9a-f]{12}$/);
    assert.ok(!(await names()).includes(typed.name), 'nothing is done before');
    const other = await signIn(service, merchant.id, 'admin');
    const wrong = await other.ask(next, { more: { cookie: `${other.cookie}; ${kept}` } });
    assert.equal(wrong.headers.get('location'), keys);
    const again = await signIn(service, merchant.id, 'admin', admin.email);
    const page = await (await again.ask(next, { more: { cookie: `${again.cookie}; ${kept}` } })).text();
    assert.match(page, new RegExp(`data-page="kept-form"[^]*action="${keys}/create"`));
    assert.deepEqual(inputsOf(page), typed);
    await idle(again);
    for (const [at, fields, leads] of [
      ['/console/account/password', { password: 'correct horse battery', code: '1' }, '/console/account/password'],
      ['/console/account/passkeys/remove', { id: 'x'.repeat(2_600) }, '/console/account'],
    ] as const) {
      const secret = await send(again, at, fields);
      assert.deepEqual([secret.kept, secret.location], ['', `/console/sign-in?next=${encodeURIComponent(leads)}`]);
    }
    const stranger = new Visitor(service.url);
    assert.equal((await send(stranger, `${keys}/create`, typed)).location, '/console/sign-in');
  });

  test('of a charge and of a refund is sent on whole after an idle session, and moves money once', async () => {
    const { merchant, client } = await service.openShop();
    const paymentId = await client.createReserved(100_000);
    await client.charge(paymentId, 50_000);
    const { email } = await signIn(service, merchant.id, 'operator');
    await service.pool.query('update merchants set live = true where id = $1', [merchant.id]);
    const moved = async (kind: string): Promise<number | undefined> =>
      (
        await service.pool.query<{ sum: number }>(
          'select sum(amount)::int as sum from movements where payment_id = $1 and kind = $2',
          [paymentId, kind],
        )
      )[0]?.sum;
    for (const [act, sure, atFirst, atLast] of [
      ['charge', '10000', 50_000, 60_000],
      ['refund', '5000', null, 5_000],
    ] as const) {
      const idle = await signIn(service, merchant.id, 'operator', email);
      await service.pool.query(
        `update sessions set seen_at = now() - interval '1 hour' where person_id = (select id from people where email = $1)`,
        [email],
      );
      const typed = { key: newActKey(), mode: 'amount', amount: String(Number(sure) / 100), sure };
      const [charge] = await service.pool.query<{ id: string }>(
        `select replace(id::text, '-', '') as id from movements where payment_id = $1 and kind = 'charge' limit 1`,
        [paymentId],
      );
      const path = `/console/${merchant.id}/payments/${paymentId}/${act}`;
      const query = act === 'refund' ? `?charge=${charge?.id}` : '';
      const { location, kept } = await send(idle, path + query, typed);
      const next = decodeURIComponent(location.split('?next=')[1] ?? '');
      const again = await signIn(service, merchant.id, 'operator', email);
      const page = await (await again.ask(next, { more: { cookie: `${again.cookie}; ${kept}` } })).text();
      assert.deepEqual(inputsOf(page), typed, location);
      assert.ok(page.includes(`action="${path}${query}"`), page);
      assert.equal(await moved(act), atFirst, 'nothing is done before');
      for (let times = 0; times < 2; times += 1)
        assert.match((await again.submit(path + query, typed)).headers.get('location') ?? '', /\?did=/);
      assert.equal(await moved(act), atLast, 'once, however often it is sent');
    }
  });

  test('does not, of a webhook at a test merchant', async () => {
    const { merchant } = await service.openShop();
    const developer = await signIn(service, merchant.id, 'developer');
    await setProof(developer, '1 hour');
    const at = `/console/${merchant.id}/webhooks`;
    const made = await developer.submit(`${at}/create`, { url: 'https://shop.example/hook' });
    assert.match(made.headers.get('location') ?? '', new RegExp(`^${at}/[0-9a-f]{32}\\?told=`));
    const [webhook] = await listWebhooks(service.pool, merchant.id);
    for (const act of ['rotate', 'disable', 'enable', 'delete'])
      assert.doesNotMatch(
        (await developer.submit(`${at}/${webhook?.id}/${act}`)).headers.get('location') ?? '',
        /prove/,
      );
    assert.match(
      (await developer.submit(`/console/${merchant.id}/keys/create`)).headers.get('location') ?? '',
      /prove/,
    );
  });
});
