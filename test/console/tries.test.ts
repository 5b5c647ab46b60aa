// Goal: passwords and codes cannot be guessed, and nobody who guesses keeps a person out. Method: strangers with addresses
// of their own, behind a proxy that is believed; the person in a browser that they have used before, and with a passkey.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { databaseNowMs } from '../../src/store/people/passwords.ts';
import { purgeSessions } from '../../src/store/purge/sessions.ts';
import { accountLock, browserLock, proofLock } from '../../src/merchants/sign-in-lock.ts';
import { listAudit } from '../../src/store/audit/audit.ts';
import { findPerson } from '../../src/store/people/people.ts';
import { countTry, findLocks } from '../../src/store/people/sign-in-tries.ts';
import type { Counted } from '../../src/store/people/sign-in-tries.ts';
import { codeOf, SoftAuthenticator } from '../support/authenticator.ts';
import { inviteTo, signIn, Visitor } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import { purgeNow } from '../support/purge.ts';
import { requestText } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const PASSWORD = 'otter lamp violin frost';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('tries', () => {
  let service: Service;
  before(async () => {
    service = await startService({ env: { KASSA_TRUSTED_PROXIES: '127.0.0.1' } });
  });
  after(() => service.stop());

  let addresses = 0;
  const anAddress = (): string => {
    addresses += 1;
    return `198.51.100.${addresses}`;
  };
  const enter = (who: Visitor, address: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
    who.ask('/console/sign-in', {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      more: { ...FORM, 'x-forwarded-for': address },
    });
  const guess = async (email: string, address: string): Promise<number> =>
    (await enter(new Visitor(service.url), address, { email, password: 'wrong wrong wrong', code: '000000' })).status;

  const withPassword = async () => {
    const { merchant } = await service.openShop();
    const person = await signIn(service, merchant.id, 'admin');
    const page = await (await person.ask('/console/account/password')).text();
    const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(page)?.[1] ?? '';
    const code = async (stepsAway: number): Promise<string> =>
      codeOf(secret, await databaseNowMs(service.pool), stepsAway);
    const fields = { password: PASSWORD, secret, code: await code(0) };
    const set = await person.act('/console/account/password', fields);
    const [recovery = '', another = ''] = (await set.text()).match(/\b[a-z0-9]{4}(?:-[a-z0-9]{4}){3}\b/g) ?? [];
    return { merchant, person, code, recovery, another };
  };

  const otherShop = async () => {
    const { merchant } = await service.openShop();
    return { admin: Object.assign(await signIn(service, merchant.id, 'admin'), { merchantId: merchant.id }) };
  };
  const idOf = async (email: string): Promise<string> => (await findPerson(service.pool, email))?.id ?? '';
  const lockOf = async (email: string) => accountLock((await findPerson(service.pool, email)) ?? email);
  /** Most of them without the work. */
  const fail = async (counted: Counted, tries: number): Promise<void> => {
    for (let count = 0; count < tries; count += 1)
      assert.ok((await countTry(service.pool, counted)).count <= counted.most);
  };
  const knownAs = (answer: Response): string =>
    answer.headers
      .getSetCookie()
      .map((cookie) => cookie.replace(/;.*/, ''))
      .find((cookie) => cookie.startsWith('kassa-known=')) ?? '';

  // decision: failed-passwords
  test('ten failed attempts lock an account for thirty minutes; a known browser and passkeys are free', async () => {
    const { merchant, person, code, recovery, another } = await withPassword();
    const fields = { email: person.email, password: PASSWORD };
    const first = await enter(new Visitor(service.url), anAddress(), { ...fields, code: await code(1) });
    assert.equal(first.status, 303);
    const known = knownAs(first);
    const stranger = anAddress();
    await fail(await lockOf(person.email), 6);
    for (let count = 6; count < 10; count += 1) assert.equal(await guess(person.email, stranger), 401, `try ${count}`);
    const refused = await enter(new Visitor(service.url), anAddress(), { ...fields, code: recovery });
    assert.equal(refused.status, 429, 'with the right password, from wherever');
    const waits = Number(refused.headers.get('retry-after'));
    assert.ok(waits > 29 * 60 && waits <= 30 * 60, String(waits));
    assert.match(await refused.text(), /Ten attempts have failed.*not accepted until <time.*A passkey still works/s);
    assert.equal(await guess(person.email.toUpperCase(), stranger), 429, 'however it is spelled');
    assert.equal(await guess(await idOf(person.email), stranger), 429, 'nor by another name of the account');
    // What is refused prolongs nothing.
    const [lock] = await findLocks(service.pool, [await lockOf(person.email)]);
    assert.equal(await guess(person.email, stranger), 429);
    assert.deepEqual(await findLocks(service.pool, [await lockOf(person.email)]), [lock]);
    const inKnown = await enter(new Visitor(service.url, known), stranger, { ...fields, code: recovery });
    assert.equal(inKnown.status, 303, 'the person’s own browser is free, even from there');
    const forged = known.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')).replace(/=..../, '=AAAA');
    const inForged = await enter(new Visitor(service.url, forged), anAddress(), { ...fields, code: another });
    assert.equal(inForged.status, 429);
    const records = await until('the record of the lock', async () => {
      const told = await listAudit(service.pool, merchant, { limit: 10, action: 'person.lock' });
      return told.length > 0 ? told : undefined;
    });
    assert.deepEqual(
      records.map(({ actor, subject, after: facts }) => [actor.kind, actor.address, subject, facts?.['email']]),
      [['system', stranger, await idOf(person.email), person.email]],
    );
  });

  // decision: failed-passwords
  test('an address that nobody has is locked alike, with the same words', async () => {
    const { person } = await withPassword();
    const nobody = `nobody-${person.email}`;
    const texts = [];
    for (const email of [person.email, nobody]) {
      await fail(await lockOf(email), 10);
      const answer = await enter(new Visitor(service.url), anAddress(), { email, password: PASSWORD, code: '1' });
      assert.equal(answer.status, 429);
      texts.push((await answer.text()).replaceAll(email, 'EMAIL').replaceAll(/<time.*?<\/time>/g, 'TIME'));
    }
    assert.equal(texts[0], texts[1]);
  });

  test('an admin unlocks an account in every browser, and a command does; both are told', async () => {
    const { merchant, person, code, recovery, another } = await withPassword();
    const fields = { email: person.email, password: PASSWORD };
    const known = knownAs(await enter(new Visitor(service.url), anAddress(), { ...fields, code: await code(1) }));
    const browser = /^kassa-known=([^.]+)/.exec(known)?.[1] ?? '';
    const found = await findPerson(service.pool, person.email);
    assert.ok(found);
    for (const lock of [accountLock(found), browserLock(found, browser)]) await fail(lock, 10);
    assert.equal(
      (await enter(new Visitor(service.url, known), anAddress(), { ...fields, code: recovery })).status,
      429,
    );
    const team = `/console/${merchant.id}/team`;
    const viewer = await signIn(service, merchant.id, 'viewer');
    assert.equal((await viewer.submit(`${team}/${found.id}/unlock`)).status, 404);
    assert.match(await (await person.ask(team)).text(), /Password locked until/);
    const more = { ...FORM, 'x-forwarded-for': '203.0.113.9' };
    assert.equal((await person.ask(`${team}/${found.id}/unlock`, { method: 'POST', more })).status, 303);
    assert.doesNotMatch(await (await person.ask(team)).text(), /Password locked until/);
    assert.equal(
      (await enter(new Visitor(service.url, known), anAddress(), { ...fields, code: recovery })).status,
      303,
    );
    assert.equal((await enter(new Visitor(service.url), anAddress(), { ...fields, code: another })).status, 303);
    const { admin: stranger } = await otherShop();
    assert.equal((await stranger.submit(`/console/${stranger.merchantId}/team/${found.id}/unlock`)).status, 404);
    // A lock protects what else the person may open, where this admin has no word.
    await inviteTo(service, stranger.merchantId, 'viewer', person.email);
    assert.equal((await stranger.submit(`/console/${stranger.merchantId}/team/${found.id}/unlock`)).status, 409);
    const [told] = await listAudit(service.pool, merchant, { limit: 1, action: 'person.unlock' });
    assert.deepEqual([told?.actor.name, told?.subject], [person.email, found.id]);
    assert.equal(told?.actor.address, '203.0.113.9', 'from where it was asked, not where the session began');
  });

  test('a known browser has tries of its own, and an end of them; what fails there locks the account, too', async () => {
    const { person, code } = await withPassword();
    const fields = { email: person.email, password: PASSWORD };
    const first = await enter(new Visitor(service.url), anAddress(), { ...fields, code: await code(1) });
    const mine = new Visitor(service.url, knownAs(first));
    const address = anAddress();
    const found = await findPerson(service.pool, person.email);
    assert.ok(found);
    const browser = /^kassa-known=([^.]+)/.exec(mine.cookie)?.[1] ?? '';
    await fail(browserLock(found, browser), 8);
    await fail(accountLock(found), 8);
    for (let count = 0; count < 2; count += 1)
      assert.equal((await enter(mine, address, { ...fields, code: '000000' })).status, 401);
    assert.equal((await enter(mine, address, { ...fields, code: '000000' })).status, 429);
    assert.equal(await guess(person.email, anAddress()), 429, 'the account is locked as well');
  });

  test('a browser keeps its mark when it signs in again, and another password ends it', async () => {
    const { person, code, recovery, another } = await withPassword();
    const fields = { email: person.email, password: PASSWORD };
    const mine = new Visitor(service.url, knownAs(await enter(person, anAddress(), { ...fields, code: recovery })));
    const again = await enter(mine, anAddress(), { ...fields, code: another });
    assert.deepEqual([again.status, knownAs(again)], [303, '']);
    await service.pool.query(
      `update passwords set hash = hash || 'x' where person_id = (select id from people where email = $1)`,
      [person.email],
    );
    const found = await findPerson(service.pool, person.email);
    assert.ok(found);
    await fail(accountLock(found), 10);
    assert.equal((await enter(mine, anAddress(), { ...fields, code: await code(1) })).status, 429);
  });

  test('of one address are thirty, whatever the accounts; those that succeed are not counted', async () => {
    const address = anAddress();
    await fail({ what: ['address', address], most: 30 }, 28);
    for (const count of [29, 30]) assert.equal(await guess(`nobody-${count}@example.test`, address), 401);
    assert.equal(await guess('nobody-31@example.test', address), 429);
    // Those that are refused for one account use up nothing of the address.
    const [elsewhere, locked] = [anAddress(), `locked-${address}@example.test`];
    await fail(accountLock(locked), 9);
    for (let n = 0; n < 4; n += 1) assert.equal(await guess(locked, elsewhere), n < 1 ? 401 : 429);
    await fail({ what: ['address', elsewhere], most: 30 }, 29);
    const { person, recovery } = await withPassword();
    const counted = await service.pool.query('select key from sign_in_tries');
    const fields = { email: person.email, password: PASSWORD, code: recovery };
    assert.equal((await enter(new Visitor(service.url), anAddress(), fields)).status, 303);
    assert.equal((await service.pool.query('select key from sign_in_tries')).length, counted.length);
  });

  test('a proxy that nobody named: no few tries lock an account for all behind it, and many accounts are not free', async () => {
    const other = await startService({ databaseUrl: service.databaseUrl });
    try {
      const { person } = await withPassword();
      const at = (email: string): Promise<Response> =>
        new Visitor(other.url).ask('/console/sign-in', {
          method: 'POST',
          body: new URLSearchParams({ email, password: 'wrong wrong wrong', code: '000000' }).toString(),
          more: { ...FORM, 'x-forwarded-for': anAddress() },
        });
      for (let count = 0; count < 6; count += 1) assert.equal((await at(person.email)).status, 401, `try ${count}`);
      // As if there had been as many as may be.
      const counted = `update sign_in_tries set count = 300 where key = sha256(convert_to($1, 'UTF8')) returning 1`;
      assert.equal((await service.pool.query(counted, [JSON.stringify(['proxy', '127.0.0.1'])])).length, 1);
      assert.equal((await at('nobody-at-all@example.test')).status, 429);
    } finally {
      await other.stop();
    }
  });

  test('of one network, links and questions to passkeys are asked for only so often', async () => {
    const address = anAddress();
    const ask = (path: string, method: string, from: string): Promise<Response> =>
      new Visitor(service.url).ask(path, { method, more: { 'x-forwarded-for': from } });
    // All connections are there before one of them asks, so that what they ask arrives at once on a busy machine, too.
    const askAtOnce = async (path: string, method: string): Promise<string[]> => {
      const { host, hostname, origin, port } = new URL(service.url);
      const sockets = Array.from({ length: 60 }, () => connect(Number(port), hostname).setEncoding('latin1'));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      const headers = { Host: host, Origin: origin, 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': address };
      const request = requestText(`${method} ${path}`, { ...headers, Connection: 'close', 'Content-Length': '0' });
      const answerOf = async (socket: Socket): Promise<string> => {
        socket.write(request);
        return (await socket.toArray()).join('');
      };
      return Promise.all(sockets.map(answerOf));
    };
    for (const [path, method] of [
      [`/console/link/${'a'.repeat(43)}`, 'GET'],
      [`/console/link/${'a'.repeat(43)}`, 'POST'],
      ['/console/api/passkeys/sign-in/options', 'POST'],
    ] as const) {
      const refused = (await askAtOnce(path, method)).filter((answer) => answer.startsWith('HTTP/1.1 429 '));
      assert.ok(refused.length > 0, `${method} ${path}`);
      assert.match(refused[0] ?? '', /\r\nretry-after: [1-9]/i);
      assert.notEqual((await ask(path, method, anAddress())).status, 429, 'another network is free');
    }
  });

  test('more sign-ins at once than there are places are refused as too many, which holds up a flood', async () => {
    const address = anAddress();
    const emails = Array.from({ length: 40 }, (_, index) => `flood-${index}@example.test`);
    const statuses = await Promise.all(emails.map((email) => guess(email, address)));
    assert.deepEqual(new Set(statuses), new Set([401, 429]));
  });

  // decision: failed-passwords
  test('passkeys and links are never locked', async () => {
    const { person } = await withPassword();
    const authenticator = new SoftAuthenticator(service.url.replace('127.0.0.1', 'localhost'));
    const ask = async (who: Visitor, what: string) =>
      (await (await who.post(`/console/api/passkeys/${what}/options`)).json()) as {
        challenge: string;
        user: { id: string };
      };
    const response = authenticator.register(await ask(person, 'add'));
    assert.equal((await person.post('/console/api/passkeys/add', { response })).status, 200);
    await fail(await lockOf(person.email), 10);
    assert.equal(await guess(person.email, anAddress()), 429);
    const stranger = new Visitor(service.url);
    const answer = authenticator.answer(await ask(stranger, 'sign-in'));
    assert.equal((await stranger.post('/console/api/passkeys/sign-in', { response: answer })).status, 200);
  });

  test('codes that prove are ten, and what was counted is over and forgotten after thirty minutes', async () => {
    const { person, recovery } = await withPassword();
    const prove = (code: string) =>
      person.ask('/console/prove', { method: 'POST', body: new URLSearchParams({ code }).toString(), more: FORM });
    const found = await findPerson(service.pool, person.email);
    await fail(proofLock(found ?? assert.fail('nobody')), 8);
    for (let count = 0; count < 2; count += 1) assert.equal((await prove('000000')).status, 401);
    const refused = await prove(recovery);
    assert.equal(refused.status, 429);
    assert.match(await refused.text(), /Ten attempts have failed/);
    await service.pool.query(`update sign_in_tries set began_at = began_at - interval '29 minutes'`);
    assert.equal((await prove(recovery)).status, 429);
    await service.pool.query(`update sign_in_tries set began_at = began_at - interval '2 minutes'`);
    assert.equal((await prove(recovery)).status, 303);
    await service.pool.query(`update sign_in_tries set began_at = began_at - interval '31 minutes'`);
    await purgeNow(purgeSessions(service.pool));
    assert.deepEqual(await service.pool.query('select 1 from sign_in_tries'), []);
  });
});
