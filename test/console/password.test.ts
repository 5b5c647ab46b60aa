// Goal: a password lets in only together with a code, each code once, and nobody learns which of them was wrong; bad
// passwords are not taken. Method: requests as browsers send them, with an authenticator app in software that goes by the
// database's clock, as the service does.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hashPassword, isPassword, withHashSlot } from '../../src/console/sign-in/password-hash.ts';
import { judgePassword } from '../../src/console/sign-in/password-rules.ts';
import { KASSA } from '../../src/domain/audit.ts';
import { invitePerson } from '../../src/merchants/people.ts';
import { changeCredential } from '../../src/merchants/sign-in.ts';
import { listAudit } from '../../src/store/audit/audit.ts';
import { changePasswordHash, databaseNowMs, findPassword } from '../../src/store/people/passwords.ts';
import { holdPerson } from '../../src/store/people/people.ts';
import type { Person } from '../../src/store/people/people.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { endSessions, listSessions } from '../../src/store/people/sessions.ts';
import { withinTransaction } from '../../src/store/connections/transaction.ts';
import { codeOf } from '../support/authenticator.ts';
import { signIn, Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';
import { whenSomebodyWaits } from '../support/somebody-waits.ts';

const PASSWORD = 'otter lamp violin frost';
const AT = '/console/account/password';

describe('password and code', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  const fill = (who: Visitor, path: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
    who.ask(path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      more: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const secretIn = (page: string): string => /name="secret" value="([A-Z2-7]{32})"/.exec(page)?.[1] ?? '';
  const codesIn = (page: string): string[] =>
    Array.from(page.matchAll(/<code>([a-z0-9-]{19})</g), ([, code = '']) => code);
  /** Each code is taken once: that of now sets the password, and the next one is for what comes then. */
  const codeAt = async (secret: string, stepsAway = 1): Promise<string> =>
    codeOf(secret, await databaseNowMs(service.pool), stepsAway);

  /** Somebody with a password, whose app has shown the code of now. */
  const withPassword = async () => {
    const { merchant } = await service.openShop();
    const person = await signIn(service, merchant.id, 'admin');
    const secret = secretIn(await (await person.ask(AT)).text());
    const set = await person.act(AT, { password: PASSWORD, secret, code: await codeAt(secret, 0) });
    const page = await set.text();
    assert.equal(set.status, 200, page);
    return { merchant, person, secret, recoveryCodes: codesIn(page) };
  };
  const enter = (fields: { email: string; code: string; password?: string; next?: string }, as?: Visitor) =>
    fill(as ?? new Visitor(service.url), '/console/sign-in', { password: PASSWORD, ...fields });
  const expire = (email: string) =>
    service.pool.query(
      `update sessions set proved_at = now() - interval '11 minutes'
       where person_id = (select id from people where email = $1)`,
      [email],
    );

  // decision: passwords-and-codes
  test('lets in with both, once per code, and leads on to where one wanted to be', async () => {
    const { merchant, person, secret } = await withPassword();
    const code = await codeAt(secret);
    const next = `/console/${merchant.id}/payments`;
    const answers = await Promise.all(Array.from({ length: 3 }, () => enter({ email: person.email, code, next })));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [303, 401, 401],
    );
    const answer = answers.find(({ status }) => status === 303) as Response;
    assert.equal(answer.headers.get('location'), next);
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.replace(/;.*/, ''));
    const inside = new Visitor(service.url, cookies.join('; '));
    assert.equal((await inside.ask(next)).status, 200);
    const page = await (await inside.ask('/console/account')).text();
    assert.match(page, /by password and code/);
  });

  // decision: passwords-and-codes
  test('nothing of the three alone lets in, and the answer is the same for an address that nobody has', async () => {
    const { person, secret } = await withPassword();
    const code = await codeAt(secret);
    const texts = await Promise.all(
      [
        { email: person.email, code, password: 'not the password at all' },
        { email: person.email, code: '000000' },
        { email: person.email, code: '' },
        { email: 'nobody@example.test', code },
      ].map(async (fields) => {
        const answer = await enter(fields);
        assert.equal(answer.status, 401);
        assert.deepEqual(answer.headers.getSetCookie(), []);
        return (await answer.text()).replaceAll(fields.email, 'EMAIL');
      }),
    );
    assert.equal(new Set(texts).size, 1);
    assert.equal(
      (await enter({ email: person.email, code })).status,
      303,
      'the code was not used up by wrong passwords',
    );
  });

  test('a recovery code stands in for the app, once; ten are shown, and no trace of them is kept', async () => {
    const { person, recoveryCodes } = await withPassword();
    assert.equal(new Set(recoveryCodes).size, 10);
    const [code = '', other = ''] = recoveryCodes;
    assert.equal((await enter({ email: person.email, code: code.toUpperCase().replaceAll('-', ' ') })).status, 303);
    assert.equal((await enter({ email: person.email, code })).status, 401);
    const account = await (await person.ask('/console/account')).text();
    assert.match(account, /9 of 10 recovery codes/);
    assert.match(account, /<details class="confirm">\s*<summary[^>]*>[^<]*<\/summary>\s*<form [^>]*recovery-codes"/);
    const page = await (await person.act('/console/account/recovery-codes')).text();
    const renewed = codesIn(page);
    assert.equal(renewed.length, 10);
    assert.match(page, new RegExp(`data-copy="${renewed.join('\\n')}"`));
    assert.match(page, /<button type="button" data-print hidden/);
    const [, file = ''] =
      /href="data:text\/plain;charset=utf-8,([^"]+)" download="kassa-recovery-codes.txt"/.exec(page) ?? [];
    assert.equal(
      decodeURIComponent(file),
      `Kassa: Recovery codes\r\n${person.email}\r\n\r\n${renewed.join('\r\n')}\r\n`,
    );
    assert.equal((await enter({ email: person.email, code: other })).status, 401, 'the old ones are worth nothing');
    const rows = await service.pool.query(
      `select 1 from recovery_codes where recovery_codes::text like '%' || $1 || '%'
       union all select 1 from passwords where hash like '%' || $2 || '%'`,
      [renewed[0], PASSWORD],
    );
    assert.deepEqual(rows, []);
  });

  test('another app takes the place of the first, with recovery codes of its own; the password stays', async () => {
    const { person, secret, recoveryCodes } = await withPassword();
    const { email } = person;
    const another = secretIn(await (await person.ask(AT)).text());
    const changed = await person.act(AT, { secret: another, code: await codeAt(another, 0) });
    assert.equal(codesIn(await changed.text()).length, 10);
    for (const code of [await codeAt(secret), recoveryCodes[0] as string])
      assert.equal((await enter({ email, code })).status, 401);
    assert.equal((await enter({ email, code: await codeAt(another) })).status, 303);
  });

  test('is set only with a code of the app, a good password and fresh proof', async () => {
    const { merchant } = await service.openShop({ live: true });
    const person = await signIn(service, merchant.id, 'viewer');
    const secret = secretIn(await (await person.ask(AT)).text());
    const code = await codeAt(secret);
    const set = (fields: Readonly<Record<string, string>>) =>
      fill(person, AT, { password: PASSWORD, secret, code, ...fields });
    for (const bad of [{ password: 'short' }, { password: 'Password2026!' }, { code: '123' }, { secret: 'A' }]) {
      const answer = await set(bad);
      assert.equal(answer.status, 422, JSON.stringify(bad));
      assert.match(await answer.text(), /role="alert"/);
    }
    await expire(person.email);
    assert.match((await set({})).headers.get('location') ?? '', /^\/console\/prove\?next=/);
    assert.equal((await enter({ email: person.email, code })).status, 401, 'nothing was set');
  });

  test('who came by a link to test merchants alone sets the first one without fresh proof, and no second', async () => {
    const { merchant } = await service.openShop();
    const person = await signIn(service, merchant.id, 'viewer');
    await expire(person.email);
    const secret = secretIn(await (await person.ask(AT)).text());
    const live = (await service.openShop({ live: true })).merchant.id;
    const join = `insert into memberships (person_id, merchant_id, role, by_groups)
      select id, $2, 'viewer', true from people where email = $1`;
    await service.pool.query(join, [person.email, live]);
    assert.match((await person.ask(AT)).headers.get('location') ?? '', /prove/, 'not with a real one, however unseen');
    await service.pool.query('delete from memberships where merchant_id = $1', [live]);
    const set = await person.act(AT, { password: PASSWORD, secret, code: await codeAt(secret, 0) });
    assert.equal(codesIn(await set.text()).length, 10);
    for (const path of [AT, `${AT}/change`, `${AT}/remove`, '/console/account/recovery-codes'])
      assert.match((await person.submit(path)).headers.get('location') ?? '', /^\/console\/prove\?next=/, path);
    assert.equal((await person.ask('/console/api/account/proof')).status, 403, 'nothing is proved by it');
  });

  test('who has none cannot change it, and nothing is told of it', async () => {
    const { merchant } = await service.openShop();
    const person = await signIn(service, merchant.id, 'viewer');
    const told = async () => (await listAudit(service.pool, merchant, { limit: 100 })).map(({ action }) => action);
    const earlier = await told();
    const answer = await fill(person, `${AT}/change`, { password: 'another otter lamp violin' });
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/console/account']);
    assert.deepEqual(await told(), earlier);
  });

  test('changing it signs out everywhere else; removing the last way in asks first', async () => {
    const { person, secret } = await withPassword();
    const inside = await enter({ email: person.email, code: await codeAt(secret) });
    const elsewhere = new Visitor(service.url, (inside.headers.getSetCookie()[0] ?? '').replace(/;.*/, ''));
    assert.equal((await elsewhere.ask('/console/account')).status, 200);
    assert.equal((await fill(person, `${AT}/change`, { password: 'another otter lamp violin' })).status, 303);
    assert.equal((await elsewhere.ask('/console/account')).status, 303);
    assert.match(await (await person.post(`${AT}/remove`)).text(), /last way in/);
    assert.match(await (await person.ask('/console/account')).text(), /recovery codes are left/);
    assert.equal((await fill(person, `${AT}/remove`, { confirmed: 'yes' })).status, 303);
    assert.match(await (await person.ask('/console/account')).text(), /Set a password/);
  });

  /** What is asked comes to where it waits for the person; then something else is done with the person first. */
  const overtake = async (
    email: string,
    ask: () => Promise<Response>,
    first: (within: Pool, person: Person) => Promise<unknown>,
  ): Promise<Response> => {
    let asked: Promise<Response> | undefined;
    await withinTransaction(service.pool, async (within) => {
      const person = (await holdPerson(within, email)) as Person;
      asked = ask();
      await Promise.race([asked, whenSomebodyWaits(within)]);
      await first(within, person);
    });
    return asked as unknown as Promise<Response>;
  };

  for (const [when, first] of [
    [
      'the person was given another merchant',
      async (within: Pool, { email }: Person) => {
        const { merchant } = await service.openShop();
        await invitePerson(within, KASSA, { email, merchantId: merchant.id, role: 'admin' });
      },
    ],
    ['its session was ended', (within: Pool, { id }: Person) => endSessions(within, id, {})],
  ] as const)
    test(`none is set once ${when}`, async () => {
      const { merchant } = await service.openShop();
      const person = await signIn(service, merchant.id, 'viewer');
      const secret = secretIn(await (await person.ask(AT)).text());
      const fields = { password: PASSWORD, secret, code: await codeAt(secret) };
      const answer = await overtake(person.email, () => fill(person, AT, fields), first);
      assert.deepEqual([answer.status, codesIn(await answer.text())], [303, []]);
      assert.equal(await findPassword(service.pool, person.email), undefined);
      assert.equal((await person.ask('/console/account')).status, 303, 'signed out');
    });

  test('the old one lets nobody in who was waiting while it was changed', async () => {
    const { person, secret } = await withPassword();
    const { email } = person;
    const hash = await hashPassword('another otter lamp violin');
    const answer = await overtake(
      email,
      async () => enter({ email, code: await codeAt(secret) }),
      async (within, known) => {
        const [session] = await listSessions(within, known.id, 15);
        const change = async (changing: Pool): Promise<boolean> => {
          await changePasswordHash(changing, known.id, hash);
          return true;
        };
        assert.ok(session && (await changeCredential(within, KASSA, { person: known, session }, { change })));
      },
    );
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [401, []]);
    assert.equal((await person.ask('/console/account')).status, 200, 'who changed it stays in');
  });

  test('a code proves anew that it is the person, and the session goes on under another secret', async () => {
    const { merchant, person, secret } = await withPassword();
    const next = `/console/${merchant.id}/payments`;
    await expire(person.email);
    assert.equal((await fill(person, '/console/prove', { code: '12345', next })).status, 401);
    const proved = await fill(person, '/console/prove', { code: await codeAt(secret), next });
    assert.equal(proved.headers.get('location'), next);
    const renewed = new Visitor(service.url, (proved.headers.getSetCookie()[0] ?? '').replace(/;.*/, ''));
    assert.notEqual(renewed.cookie, person.cookie);
    assert.equal((await renewed.ask('/console/api/account/proof')).status, 200);
    assert.equal((await person.ask('/console/api/account/proof')).status, 401, 'the old secret is worth nothing');
  });

  test('setting it and coming in with it is told in the audit, without a word of it', async () => {
    const { merchant, person, secret } = await withPassword();
    const code = await codeAt(secret);
    assert.equal((await enter({ email: person.email, code })).status, 303);
    const records = await service.pool.query<{ action: string; facts: object }>(
      `select action, after as facts from audit_records where merchant_id = $1 and actor_name = $2 order by number`,
      [merchant.id, person.email],
    );
    assert.deepEqual(
      records.map(({ action, facts }) => [action, facts]),
      [
        ['person.sign-in', { method: 'link' }],
        ['person.credential', { password: 'set, with an authenticator app' }],
        ['person.sign-in', { method: 'password' }],
      ],
    );
  });

  test('who came by a link is offered a way in of their own, until they have one or say not now', async () => {
    const { merchant } = await service.openShop();
    const person = await signIn(service, merchant.id, 'viewer');
    const isOffered = async (who: Visitor): Promise<boolean> =>
      /add a passkey or set a password/.test(await (await who.ask(`/console/${merchant.id}/payments`)).text());
    assert.ok(await isOffered(person));
    const later = await person.post('/console/account/later');
    const mark = (later.headers.getSetCookie()[0] ?? '').replace(/;.*/, '');
    assert.ok(!(await isOffered(new Visitor(service.url, `${person.cookie}; ${mark}`))));
    const secret = secretIn(await (await person.ask(AT)).text());
    await fill(person, AT, { password: PASSWORD, secret, code: await codeAt(secret) });
    assert.ok(!(await isOffered(person)));
  });
});

describe('rules for passwords', () => {
  const email = 'ada.lovelace@analytical.example';
  for (const [password, expected] of [
    ['elevenchars', 'too_short'],
    ['x'.repeat(129), 'too_long'],
    ['password1234', 'common'],
    ['Passw0rd2026!', 'common'],
    ['123456789012', 'common'],
    ['qwertyuiopqwerty', 'common'],
    ['aaaaaaaaaaaaaa', 'common'],
    ['welcomewelcome', 'common'],
    ['1q2w3e4r5t6y', 'common'],
    ['Summer2026!!', 'common'],
    [email, 'common'],
    ['lovelacelovelace', 'common'],
    ['otter lamp violin', undefined],
    ['gwxkqzrbtnvm', undefined],
    ['837465019283746', undefined],
    ['ÅÄÖåäöÅÄÖåäöx', undefined],
    ['🦦🪔🎻❄️🦦🪔🎻🧊🌲🏔️🛶🎈', undefined],
  ] as const)
    test(`${JSON.stringify(password.slice(0, 20))} is ${expected ?? 'taken'}`, () =>
      assert.equal(judgePassword(password, email), expected));
});

describe('hashes of passwords', () => {
  test('each is another, and only the password matches, however its signs are composed', async () => {
    const [one, two] = await Promise.all([hashPassword('ångström unit'), hashPassword('ångström unit')]);
    assert.notEqual(one, two);
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.ok(await isPassword('ångström unit'.normalize('NFD'), one));
    assert.ok(!(await isPassword('angstrom unit', one)));
    assert.ok(!(await isPassword('')), 'nobody’s never is');
  });

  test('one is made at a time and thirty wait; one more is told so', async () => {
    let most = 0;
    let now = 0;
    const gate = Promise.withResolvers<void>();
    const all = Array.from({ length: 40 }, (_, at) =>
      withHashSlot({ account: `a${at}`, network: `n${at}` }, async () => {
        now += 1;
        most = Math.max(most, now);
        await gate.promise;
        now -= 1;
        return true;
      }),
    );
    gate.resolve();
    const done = await Promise.all(all);
    assert.equal(done.filter(Boolean).length, 31);
    assert.equal(most, 1);
    assert.equal(await withHashSlot({ account: 'b' }, async () => 'free again'), 'free again');
  });

  test('of one network five wait and at one account two: whoever else comes has a turn soon', async () => {
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    const ask = (account: string, network: string, isProxy = false) =>
      withHashSlot({ account, network, isProxy }, async () => {
        await gate.promise;
        order.push(account);
        return true;
      });
    const flood = Array.from({ length: 40 }, (_, at) => ask(`guess-${at}`, 'one'));
    const guesses = Array.from({ length: 40 }, (_, at) => ask('ada', `many-${at}`));
    const behind = Array.from({ length: 40 }, (_, at) => ask(`colleague-${at}`, 'proxy', true));
    const somebody = ask('bob', 'elsewhere');
    gate.resolve();
    assert.equal(await somebody, true);
    for (const [asked, most] of [
      [flood, 6],
      [guesses, 2],
      [behind, 15],
    ] as const)
      assert.equal((await Promise.all(asked)).filter(Boolean).length, most);
    assert.equal(order.at(-1), 'bob');
  });
});
