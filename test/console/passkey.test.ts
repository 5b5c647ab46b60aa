// Goal: a passkey lets its person in, proves and is added only as it should be: for this site, verified, to a challenge of
// ours, once. Method: an authenticator in software that also does what it should not.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { readChallenge } from '../../src/console/sign-in/challenge.ts';
import { consoleSecret } from '../../src/store/people/console-secret.ts';
import { SoftAuthenticator } from '../support/authenticator.ts';
import type { Misdeed } from '../support/authenticator.ts';
import { KASSA } from '../../src/domain/audit.ts';
import { linkPerson } from '../../src/merchants/sign-in-links.ts';
import { signIn, Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const AT = '/console/api/passkeys';

describe('passkeys', () => {
  let service: SharedService;
  /** The public address, which names the host. */
  let site: string;
  before(() => {
    service = shareService();
    site = service.url.replace('127.0.0.1', 'localhost');
  });
  after(() => service.close());

  type Options = { challenge: string; user: { id: string } };
  const optionsOf = async (who: Visitor, what: string): Promise<Options> =>
    (await (await who.post(`${AT}/${what}/options`)).json()) as Options;

  const add = async (who: Visitor, authenticator: SoftAuthenticator, name = 'Laptop', misdeed: Misdeed = {}) =>
    who.post(`${AT}/add`, { name, response: authenticator.register(await optionsOf(who, 'add'), misdeed) });
  const enter = async (authenticator: SoftAuthenticator, misdeed: Misdeed = {}): Promise<Response> => {
    const stranger = new Visitor(service.url);
    const options = await optionsOf(stranger, 'sign-in');
    return stranger.post(`${AT}/sign-in`, { response: authenticator.answer(options, misdeed) });
  };
  const withPasskey = async () => {
    const { merchant } = await service.openShop();
    const person = await signIn(service, merchant.id, 'admin');
    const authenticator = new SoftAuthenticator(site);
    assert.equal((await add(person, authenticator)).status, 200);
    return { merchant, person, authenticator };
  };
  const cookieOf = (answer: Response): string => (answer.headers.getSetCookie()[0] ?? '').replace(/;.*/, '');

  test('one is added with a name, and lets its person in', async () => {
    const { merchant, person, authenticator } = await withPasskey();
    const answer = await enter(authenticator);
    assert.equal(answer.status, 200);
    const inside = new Visitor(service.url, cookieOf(answer));
    assert.equal((await inside.ask(`/console/${merchant.id}/payments`)).status, 200);
    const page = await (await inside.ask('/console/account')).text();
    for (const text of [person.email, 'Laptop', 'by a passkey']) assert.ok(page.includes(text), text);
  });

  test('another way in, or one less, ends what was open elsewhere and the links that nobody used', async () => {
    const { merchant, person, authenticator } = await withPasskey();
    const [first, second] = [new Visitor(service.url), new Visitor(service.url)];
    const phoneOf = async (email: string): Promise<string> => {
      const rows = await service.pool.query<{ id: string }>(
        `select passkeys.id from passkeys join people on people.id = person_id where email = $1 and name = 'Phone'`,
        [email],
      );
      return rows[0]?.id ?? '';
    };
    for (const [visitor, change] of [
      [first, async () => add(person, new SoftAuthenticator(site), 'Phone')],
      [second, async () => person.submit('/console/account/passkeys/remove', { id: await phoneOf(person.email) })],
    ] as const) {
      visitor.cookie = cookieOf(await enter(authenticator));
      assert.equal((await visitor.ask(`/console/${merchant.id}/payments`)).status, 200);
      const linked = await linkPerson(service.pool, KASSA, person.email);
      assert.ok(linked.kind === 'linked');
      assert.ok([200, 303].includes((await change()).status));
      assert.equal((await visitor.ask(`/console/${merchant.id}/payments`)).status, 303, 'signed out');
      assert.equal((await new Visitor(service.url).ask(`/console/link/${linked.linkSecret}`)).status, 404);
      assert.equal((await person.ask(`/console/${merchant.id}/payments`)).status, 200, 'who did it stays');
    }
  });

  test('an answer for another site, without the person verified, or by another key lets nobody in', async () => {
    const { authenticator } = await withPasskey();
    for (const misdeed of [
      { origin: 'https://evil.example' },
      { origin: site.replace('localhost', '127.0.0.1') },
      { host: 'evil.example' },
      { unverified: true },
    ]) {
      const answer = await enter(authenticator, misdeed);
      assert.equal(answer.status, 401, JSON.stringify(misdeed));
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
    const unknown = new SoftAuthenticator(site);
    assert.equal((await enter(unknown)).status, 401);
    assert.equal((await enter(authenticator)).status, 200);
  });

  test('an answer counts once, and only to a challenge of ours for that very purpose', async () => {
    const { person, authenticator } = await withPasskey();
    const stranger = new Visitor(service.url);
    const response = authenticator.answer(await optionsOf(stranger, 'sign-in'));
    const answers = await Promise.all(Array.from({ length: 4 }, () => stranger.post(`${AT}/sign-in`, { response })));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 401, 401, 401],
    );
    const ofProof = authenticator.answer(await optionsOf(person, 'prove'));
    assert.equal((await stranger.post(`${AT}/sign-in`, { response: ofProof })).status, 401);
    const made = authenticator.answer({ challenge: Buffer.alloc(40, 1).toString('base64url') });
    assert.equal((await stranger.post(`${AT}/sign-in`, { response: made })).status, 401);
    for (const body of [{}, { response: { id: 'a' } }, { response: { id: 'a', response: { clientDataJSON: '!' } } }])
      assert.ok([400, 401].includes((await stranger.post(`${AT}/sign-in`, body)).status));
  });

  test('a challenge of minutes ago is over, and nobody makes one younger', async () => {
    const { authenticator } = await withPasskey();
    const stranger = new Visitor(service.url);
    const { challenge } = await optionsOf(stranger, 'sign-in');
    const bytes = Buffer.from(challenge, 'base64url');
    bytes.writeBigInt64BE(bytes.readBigInt64BE() - 1n);
    const response = authenticator.answer({ challenge: bytes.toString('base64url') });
    assert.equal((await stranger.post(`${AT}/sign-in`, { response })).status, 401, 'its time is signed');
    const said = bytes.subarray(0, 24);
    const signed = async (microsAgo: bigint): Promise<string> => {
      said.writeBigInt64BE(Buffer.from(challenge, 'base64url').readBigInt64BE() - microsAgo);
      const mac = createHmac('sha256', await consoleSecret(service.pool))
        .update('challenge sign-in ')
        .update(said);
      return Buffer.concat([said, mac.digest().subarray(0, 16)]).toString('base64url');
    };
    assert.notEqual(await readChallenge(service.pool, 'sign-in', await signed(1n)), undefined);
    assert.equal(await readChallenge(service.pool, 'sign-in', await signed(300_000_000n)), undefined);
  });

  test('a copy whose counter is behind is refused', async () => {
    const { authenticator } = await withPasskey();
    authenticator.counter = 7;
    assert.equal((await enter(authenticator)).status, 200);
    assert.equal((await enter(authenticator)).status, 401, 'the same count');
    authenticator.counter = 6;
    assert.equal((await enter(authenticator)).status, 401);
    authenticator.counter = 8;
    assert.equal((await enter(authenticator)).status, 200);
  });

  test('one proves for its own person alone, and the session goes on under another secret', async () => {
    const { person, authenticator } = await withPasskey();
    const { person: other, authenticator: foreign } = await withPasskey();
    await service.pool.query(
      `update sessions set proved_at = now() - interval '1 hour'
       where person_id in (select id from people where email = any ($1))`,
      [[person.email, other.email]],
    );
    const prove = async (by: SoftAuthenticator) =>
      person.post(`${AT}/prove`, { response: by.answer(await optionsOf(person, 'prove')) });
    assert.equal((await prove(foreign)).status, 401);
    const proved = await prove(authenticator);
    assert.equal(proved.status, 200);
    const renewed = new Visitor(service.url, cookieOf(proved));
    assert.equal((await renewed.ask('/console/api/account/proof')).status, 200);
    assert.equal((await person.ask('/console/account')).status, 303);
  });

  test('adding asks for a session and fresh proof, takes none twice and none for another site', async () => {
    const { person, authenticator } = await withPasskey();
    assert.equal((await add(person, authenticator)).status, 409, 'twice');
    assert.equal((await add(person, new SoftAuthenticator(site), 'x', { origin: 'https://evil.example' })).status, 409);
    assert.equal((await add(person, new SoftAuthenticator(site), 'x', { unverified: true })).status, 409);
    assert.equal((await new Visitor(service.url).post(`${AT}/add/options`)).status, 401);
    const response = new SoftAuthenticator(site).register(await optionsOf(person, 'add'));
    await service.pool.query(
      `update sessions set proved_at = now() - interval '1 hour'
       where person_id = (select id from people where email = $1)`,
      [person.email],
    );
    const refused = await person.post(`${AT}/add`, { response });
    assert.equal(refused.status, 403);
    assert.equal(((await refused.json()) as { reason: string }).reason, 'proof_needed');
  });

  test('one of several goes at once, the last after a warning, and nobody removes another person’s', async () => {
    const { person } = await withPasskey();
    const { person: stranger } = await withPasskey();
    assert.equal((await add(person, new SoftAuthenticator(site), 'Key in the drawer')).status, 200);
    const idsOf = async (): Promise<string[]> =>
      Array.from(
        (await (await person.ask('/console/account')).text()).matchAll(/name="id" value="([^"]+)"/g),
        ([, id = '']) => id,
      );
    const remove = (who: Visitor, id: string, more = {}) =>
      who.post('/console/account/passkeys/remove', { id, ...more });
    const [first = '', second = ''] = await idsOf();
    await remove(stranger, first, { confirmed: 'yes' });
    assert.equal((await idsOf()).length, 2);
    assert.equal((await remove(person, first)).status, 303);
    assert.deepEqual(await idsOf(), [second]);
    assert.match(await (await remove(person, second)).text(), /last way in/);
    assert.deepEqual(await idsOf(), [second]);
    assert.equal((await remove(person, second, { confirmed: 'yes' })).status, 303);
    assert.deepEqual(await idsOf(), []);
  });
});
