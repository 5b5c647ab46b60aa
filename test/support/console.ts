// A person at the console: let in by a link of theirs, and asking as their browser would, with its cookie and its word on
// where each request began.
import { setTimeout as sleep } from 'node:timers/promises';
import { KASSA } from '../../src/domain/audit.ts';
import { invitePerson } from '../../src/merchants/people.ts';
import type { Role } from '../../src/domain/role.ts';
import { databaseNowMs } from '../../src/store/people/passwords.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { codeOf } from './authenticator.ts';

type At = { readonly url: string; readonly pool: Pool };

let invited = 0;

/** A link that lets a new person in once, with a role at a merchant. `name`: their address, where people look at it. */
export async function inviteTo(
  { url, pool }: At,
  merchantId: number,
  role: Role,
  name?: string,
): Promise<{ readonly email: string; readonly link: string }> {
  invited += 1;
  const email = name ?? `person-${process.pid}-${invited}@example.test`;
  const made = await invitePerson(pool, KASSA, { email, merchantId, role });
  if (made.kind !== 'invited') throw new Error(`nobody was invited: ${made.kind}`);
  return { email, link: `${url}/console/link/${made.linkSecret}` };
}

export class Visitor {
  readonly #url: string;
  cookie: string;

  constructor(url: string, cookie = '') {
    this.#url = url;
    this.cookie = cookie;
  }

  /** As a page of the console asks; headers can be taken away with undefined. */
  async ask(
    path: string,
    init: RequestInit & { more?: Readonly<Record<string, string | undefined>> } = {},
  ): Promise<Response> {
    const { more, ...rest } = init;
    const headers = { cookie: this.cookie, origin: this.#url, 'sec-fetch-site': 'same-origin', ...more };
    const given = Object.entries(headers).filter((pair): pair is [string, string] => Boolean(pair[1]));
    for (;;) {
      const answer = await fetch(new URL(path, this.#url), { redirect: 'manual', ...rest, headers: given });
      // The tests of a worker ask from one network, quicker than people do.
      const isTooQuick =
        answer.status === 429 && (await answer.clone().text()).includes('from this network to sign in');
      if (!isTooQuick || more?.['x-forwarded-for'] !== undefined) return answer;
      await sleep(Number(answer.headers.get('retry-after')) * 1_000);
    }
  }

  /** As a form without a script sends it. */
  submit(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    const more = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.ask(path, { method: 'POST', body: new URLSearchParams(fields).toString(), more });
  }

  /** The same, and on to the page that it leads to, with what it tells. */
  async act(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    const answer = await this.submit(path, fields);
    if (answer.status !== 303) return answer;
    const told = answer.headers.getSetCookie().map((cookie) => cookie.replace(/;.*/, ''));
    return this.ask(answer.headers.get('location') ?? '', { more: { cookie: [this.cookie, ...told].join('; ') } });
  }

  post(path: string, body?: object): Promise<Response> {
    return this.ask(path, {
      method: 'POST',
      ...(body && { body: JSON.stringify(body), more: { 'content-type': 'application/json' } }),
    });
  }
}

/** Somebody who is in; as if a second factor had been shown, unless they are weak. */
export async function signIn(
  at: At,
  merchantId: number,
  role: Role,
  name?: string,
  { isWeak = false } = {},
): Promise<Visitor & { readonly email: string }> {
  const { email, link } = await inviteTo(at, merchantId, role, name);
  const visitor = new Visitor(at.url);
  const answer = await visitor.post(new URL(link).pathname);
  const [cookie] = answer.headers.getSetCookie();
  if (answer.status !== 303 || cookie === undefined) throw new Error(`not let in: ${answer.status}`);
  visitor.cookie = cookie.slice(0, cookie.indexOf(';'));
  if (!isWeak)
    await at.pool.query(
      `update sessions set is_strong = true where person_id = (select id from people where email = $1)`,
      [email],
    );
  return Object.assign(visitor, { email });
}

export const PASSWORD = 'otter lamp violin frost';

/**
 * What the app shows next: each code is taken once, and a slow machine takes its time. The code of a step ago could be too
 * old by the time that it arrives.
 */
export const codeNow = async ({ pool }: At, secret: string, stepsAway = 1): Promise<string> =>
  codeOf(secret, await databaseNowMs(pool), stepsAway);

/** Gives somebody a password and an app, whose code of now is taken. */
export async function setPassword(
  at: At,
  visitor: Visitor,
): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  const path = '/console/account/password';
  const form = await (await visitor.ask(path)).text();
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(form)?.[1] ?? '';
  const set = await visitor.act(path, { password: PASSWORD, secret, code: await codeNow(at, secret, 0) });
  const page = await set.text();
  if (set.status !== 200) throw new Error(`no password was set: ${set.status}`);
  return { secret, recoveryCodes: Array.from(page.matchAll(/<code>([a-z0-9-]{19})</g), ([, code = '']) => code) };
}
