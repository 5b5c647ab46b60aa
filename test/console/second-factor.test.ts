// Goal: where a merchant requires a second factor, a one-time link leads to registering one and to nothing else, whichever
// kind it is; and nobody else notices. Method: requests as browsers send them, with a device and an app in software.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import { changeMerchant } from '../../src/merchants/merchants.ts';
import { linkPerson } from '../../src/merchants/sign-in-links.ts';
import { listAudit } from '../../src/store/audit/audit.ts';
import { SoftAuthenticator } from '../support/authenticator.ts';
import { codeNow, PASSWORD, signIn, Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const AT = '/console/api/passkeys';
const cookieOf = (answer: Response): string =>
  (answer.headers.getSetCookie().find((each) => each.startsWith('kassa-session=')) ?? '').replace(/;.*/, '');

describe('a second factor', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  type Person = Visitor & { readonly email: string };

  async function open(live: boolean) {
    const { merchant } = await service.openShop({ live });
    const admin = await signIn(service, merchant.id, 'admin', undefined, { isWeak: true });
    const page = `/console/${merchant.id}/team`;
    const whereTo = async (who: Visitor): Promise<string | number> => {
      const answer = await who.ask(page);
      return answer.headers.get('location')?.replace(/\?.*/, '') ?? answer.status;
    };
    return { merchant, admin, page, whereTo };
  }

  const byLink = async ({ email }: Person): Promise<Person> => {
    const linked = await linkPerson(service.pool, KASSA, email);
    const secret = linked.kind === 'linked' ? linked.linkSecret : '';
    const cookie = cookieOf(await new Visitor(service.url).post(`/console/link/${secret}`));
    return Object.assign(new Visitor(service.url, cookie), { email });
  };

  /** Answers what the page asks an authenticator, and goes on with the session's new secret. */
  async function use(who: Visitor, device: SoftAuthenticator, what: 'add' | 'prove'): Promise<void> {
    const options = (await (await who.post(`${AT}/${what}/options`)).json()) as {
      challenge: string;
      user: { id: string };
    };
    const response = what === 'add' ? device.register(options) : device.answer(options);
    const answer = await who.post(`${AT}/${what}`, { name: 'Laptop', response });
    assert.equal(answer.status, 200);
    who.cookie = cookieOf(answer) || who.cookie;
  }

  const newDevice = (): SoftAuthenticator => new SoftAuthenticator(service.url.replace('127.0.0.1', 'localhost'));

  // decision: one-time-links-at-a-live-merchant
  test('is asked of who came to a live merchant by a link: a passkey opens the console, with another secret', async () => {
    const { merchant, admin, page, whereTo } = await open(true);
    const earlier = admin.cookie;
    const led = await admin.ask(page);
    assert.equal(led.headers.get('location'), `/console/second-factor?next=${encodeURIComponent(page)}`);
    const shown = await (await admin.ask(led.headers.get('location') ?? '')).text();
    assert.match(shown, new RegExp(`${merchant.name}</strong> requires a second factor`));
    assert.ok(shown.includes(`data-next="${page}"`), 'and knows the way back');
    assert.doesNotMatch(shown, new RegExp(`href="/console/${merchant.id}`));
    await use(admin, newDevice(), 'add');
    assert.notEqual(admin.cookie, earlier);
    assert.equal(await whereTo(admin), 200);
    assert.equal(await whereTo(new Visitor(service.url, earlier)), '/console/sign-in');
    assert.equal((await admin.ask(`/console/second-factor?next=${page}`)).headers.get('location'), page);
  });

  test('is also a password with an app; then password and code sign in, and a link asks for it anew', async () => {
    const { admin, whereTo } = await open(true);
    const set = await admin.ask('/console/account/password');
    assert.equal(set.status, 200);
    const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(await set.text())?.[1] ?? '';
    const done = await admin.submit('/console/account/password', {
      password: PASSWORD,
      secret,
      code: await codeNow(service, secret, 0),
    });
    assert.match(done.headers.get('location') ?? '', /recovery-codes/);
    admin.cookie = cookieOf(done);
    assert.equal(await whereTo(admin), 200);
    const stranger = new Visitor(service.url);
    const code = await codeNow(service, secret);
    const signedIn = await stranger.submit('/console/sign-in', { email: admin.email, password: PASSWORD, code });
    assert.equal(await whereTo(new Visitor(service.url, cookieOf(signedIn))), 200);
    const again = await byLink(admin);
    assert.equal(await whereTo(again), '/console/second-factor');
    for (const wrong of ['000000', code]) {
      assert.equal((await again.submit('/console/prove', { next: '/console', code: wrong })).status, 401);
      assert.equal(await whereTo(again), '/console/second-factor', 'a wrong code, or one that was used, opens nothing');
    }
  });

  test('that there is already is shown, and nothing has to be registered', async () => {
    const { admin, whereTo } = await open(true);
    const device = newDevice();
    await use(admin, device, 'add');
    const again = await byLink(admin);
    const shown = await (await again.ask('/console/second-factor')).text();
    assert.match(shown, /You have a passkey or an authenticator app already/);
    assert.equal((await again.ask('/console/prove?next=/console')).status, 200, 'the link alone is no proof of it');
    const other = await open(true);
    const stranger = newDevice();
    await use(other.admin, stranger, 'add');
    const options = (await (await again.post(`${AT}/prove/options`)).json()) as { challenge: string };
    assert.equal((await again.post(`${AT}/prove`, { response: stranger.answer(options) })).status, 401);
    assert.equal(await whereTo(again), '/console/second-factor', 'nor is the device of somebody else');
    await use(again, device, 'prove');
    assert.equal(await whereTo(again), 200);
  });

  test('is no matter at a test merchant; an admin requires it, and gives it up, and the audit tells', async () => {
    const { merchant, admin, whereTo } = await open(false);
    assert.equal(await whereTo(admin), 200);
    const at = `/console/${merchant.id}/settings`;
    const shownIn = (text: string): string =>
      /name="shown" value="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? '';
    const save = async (more: Readonly<Record<string, string>>): Promise<number> => {
      const shown = shownIn(await (await admin.ask(at)).text());
      return (await admin.submit(`${at}/change`, { name: merchant.name, dialect: 'spec', shown, ...more })).status;
    };
    assert.equal(await save({ secondFactor: 'on' }), 303);
    assert.equal(await whereTo(admin), '/console/second-factor', 'at once, for who is in by a link');
    await use(admin, newDevice(), 'add');
    // A form of before, or one that never showed the box, takes nothing away.
    await admin.submit(`${at}/change`, { name: merchant.name, dialect: 'spec' });
    assert.equal(await whereTo(await byLink(admin)), '/console/second-factor');
    assert.equal(await save({}), 303);
    assert.equal(await whereTo(await byLink(admin)), 200);
    const told = await listAudit(service.pool, merchant, { limit: 10, action: 'merchant.change' });
    assert.deepEqual(
      told.map(({ after: is }) => is?.['secondFactor']).filter((each) => each !== undefined),
      [false, true],
    );
  });

  test('given up at a live merchant, a link is enough there', async () => {
    const { merchant, admin, whereTo } = await open(true);
    await changeMerchant(service.pool, KASSA, merchant.id, { settings: { secondFactor: false } });
    assert.equal(await whereTo(admin), 200);
  });
});
