// Goal: developers look after webhooks in the console, see what was delivered and what was answered, as text, and send
// again; nobody else does. Method: requests as browsers send them; an endpoint of the test's own; every act by every role.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { ROLES } from '../../src/domain/role.ts';
import { LANGUAGES } from '../../src/pages/language.ts';
import { listAudit } from '../../src/store/audit/audit.ts';
import { listWebhooks } from '../../src/store/events/webhooks.ts';
import { anOrder } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import type { Visitor } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import { unescape } from '../support/markup.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const SECRET = /whsec_[A-Za-z0-9+/]+=*/;

describe('webhooks in the console', () => {
  let service: SharedService;
  let url: string;
  let got = 0;
  const received: { readonly headers: IncomingHttpHeaders; readonly text: string }[] = [];
  const endpoint = createServer((request, response) => {
    got += 1;
    void readText(request).then((body) => received.push({ headers: request.headers, text: body }));
    response.writeHead(got % 2 === 0 ? 200 : 201).end('<script>alert(1)</script>');
  });
  before(async () => {
    service = shareService();
    await new Promise<void>((resolve) => void endpoint.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`;
  });
  after(async () => {
    await service.close();
    endpoint.closeAllConnections();
    endpoint.close();
  });

  /** Of the event that tells of an order. */
  const makeOne = async (developer: Visitor, at: string): Promise<string> => {
    const made = await developer.submit(`${at}/create`, { url, 'event:payment.created': 'on' });
    return /webhooks\/([0-9a-f]{32})/.exec(made.headers.get('location') ?? '')?.[1] ?? assert.fail('no webhook');
  };
  const makePayment = async (client: Client, order: object): Promise<string> => {
    const body = { order, checkout: { url: 'https://shop.example/checkout' } };
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    return paymentId;
  };

  test('made with a secret that is shown once; changed, tried, rotated, switched off and on, deleted', async () => {
    const { merchant } = await service.openShop();
    const developer = await signIn(service, merchant.id, 'developer');
    const at = `/console/${merchant.id}/webhooks`;
    const bad = await developer.submit(`${at}/create`, { url: 'ftp://x"><b>' });
    const refused = await bad.text();
    assert.deepEqual([bad.status, refused.includes('<b>'), refused.includes('&lt;b&gt;')], [400, false, true]);
    const made = await (await developer.act(`${at}/create`, { url, 'event:payment.created': 'on' })).text();
    const [secret = ''] = SECRET.exec(made) ?? assert.fail('no secret');
    const [webhook] = await listWebhooks(service.pool, merchant.id);
    assert.deepEqual([webhook?.secret, webhook?.events], [secret, ['payment.created']]);
    const one = `${at}/${webhook?.id}`;
    assert.doesNotMatch(await (await developer.ask(one)).text(), SECRET);
    const pinged = await (await developer.act(`${one}/ping`)).text();
    assert.match(pinged, /Test event: 20[01], after \d+ ms\. The endpoint answered: &lt;script&gt;/);
    assert.equal((await developer.submit(`${one}/change`, { url: `${url}/2` })).status, 303);
    assert.equal((await developer.submit(`${one}/disable`)).status, 303);
    const [changed] = await listWebhooks(service.pool, merchant.id);
    assert.deepEqual([changed?.url, changed?.events, changed?.disabled?.reason], [`${url}/2`, undefined, 'asked']);
    assert.equal((await developer.submit(`${one}/enable`)).status, 303);
    assert.match(await (await developer.act(`${one}/rotate`)).text(), SECRET);
    assert.equal((await developer.submit(`${one}/delete`)).status, 303);
    assert.equal((await developer.ask(one)).status, 404);
    const records = await listAudit(service.pool, merchant, { limit: 20 });
    const acts = records.filter(({ action }) => action.startsWith('webhook.')).toReversed();
    assert.deepEqual(
      acts.map(({ action }) => action.replace('webhook.', '')),
      ['create', 'ping', 'change', 'change', 'change', 'rotate', 'delete'],
    );
    assert.doesNotMatch(JSON.stringify(records), SECRET);
  });

  test('why an address is not taken is said in the reader’s language, and what was typed stays', async () => {
    const { merchant } = await service.openShop({ live: true });
    const developer = await signIn(service, merchant.id, 'developer');
    const at = `/console/${merchant.id}/webhooks`;
    const refusal = async (language: string, address: string): Promise<string> => {
      const answer = await developer.ask(`${at}/create`, {
        method: 'POST',
        body: new URLSearchParams({ url: address }).toString(),
        more: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': language },
      });
      const page = await answer.text();
      assert.equal(answer.status, 400, page);
      assert.ok(page.includes(`value="${address}"`), address);
      return /role="alert">\s*<p>([^<]*)</.exec(page)?.[1] ?? '';
    };
    const rows: readonly (readonly [address: string, english: string, german: string])[] = [
      ['nonsense', 'must be an http or https address', 'sie muss mit http oder https beginnen'],
      ['http://a.example/', 'must be https for a live merchant', 'sie muss https verwenden (bei einem Live-Händler)'],
      ['https://u:p@a.example/', 'must not have a user name or a password', 'weder Benutzernamen noch Passwort'],
      ['https://169.254.169.254/', 'must not lead to a metadata address', 'sie führt zu einer Metadaten-Adresse'],
      ['https://10.0.0.1/', 'must not lead to a private address for a live merchant', 'privaten Adresse (bei einem'],
    ];
    for (const [address, english, german] of rows) {
      assert.equal(await refusal('en', address), `The address ${english}.`);
      assert.ok((await refusal('de', address)).startsWith('Die Adresse wird nicht angenommen: '), address);
      assert.ok((await refusal('de', address)).includes(german), await refusal('de', address));
      const said = await Promise.all(LANGUAGES.map((language) => refusal(language, address)));
      assert.equal(new Set(said).size, LANGUAGES.length, said.join('\n'));
    }
  });

  test('where an address is not taken, the events that were chosen stay chosen', async () => {
    const { merchant } = await service.openShop({ live: true });
    const developer = await signIn(service, merchant.id, 'developer');
    const at = `/console/${merchant.id}/webhooks`;
    await developer.submit(`${at}/create`, { url: 'https://shop.example/', 'event:payment.created': 'on' });
    const [webhook] = await listWebhooks(service.pool, merchant.id);
    const chosen = { 'event:payment.refund.failed': 'on', 'event:payment.cancel.failed': 'on' };
    for (const path of [`${at}/create`, `${at}/${webhook?.id}/change`]) {
      const answer = await developer.submit(path, { url: 'http://shop.example/', ...chosen });
      assert.equal(answer.status, 400);
      const checked = (await answer.text()).matchAll(/name="(event:[^"]+)" value="on" checked/g);
      assert.deepEqual(
        Array.from(checked, ([, name]) => name),
        Object.keys(chosen),
        path,
      );
    }
  });

  test('deliveries with what was answered, as text; one event and a period are sent again', async () => {
    const { merchant, client } = await service.openShop();
    const developer = await signIn(service, merchant.id, 'developer');
    const at = `/console/${merchant.id}/webhooks`;
    await developer.submit(`${at}/create`, { url, 'event:payment.reservation.created': 'on' });
    const [webhook] = await listWebhooks(service.pool, merchant.id);
    const one = `${at}/${webhook?.id}`;
    const paymentId = await client.createReserved();
    const page = async (query = ''): Promise<string> => (await developer.ask(one + query)).text();
    await until('the event to be delivered', async () => (await page('?state=delivered')).includes('/resend'));
    const shown = await page('?state=delivered');
    assert.ok(shown.includes('&lt;script&gt;alert(1)') && !shown.includes('<script>alert'));
    assert.ok(shown.includes(`/payments/${paymentId}">Payment …${paymentId.slice(-6)}</a>`), 'what it is about');
    assert.match(
      shown,
      /<td class="person">\s*<a [^>]*><code>[^<]+<\/code><\/a>\s*<span class="hint"\s*><time [^>]*data-seconds>/,
    );
    assert.ok(!(await page('?state=failed')).includes('/resend'));
    const [, eventId = ''] = /events\/([0-9a-f]{32})\/resend/.exec(shown) ?? assert.fail('no event');
    const count = got;
    assert.equal((await developer.submit(`${one}/events/${eventId}/resend`)).status, 303);
    await until('it to come again', () => got > count);
    assert.equal((await developer.submit(`${one}/redeliver`, { since: '2020-01-01T00:00' })).status, 303);
    await until('all to come again', () => got > count + 1);
    assert.match(await page(), /\d+ of \d+ events looked at, 1 on the way/);
    assert.equal((await developer.submit(`${one}/redeliver`, { since: 'yesterday' })).status, 400);
    // A period is in UTC, or says its zone; what could not be taken need not be typed again.
    const back = { since: '2026-01-02T00:00+02:00', until: '2026-01-01T00:00' };
    const refused = await developer.submit(`${one}/redeliver`, back);
    assert.equal(refused.status, 400);
    const form = await refused.text();
    for (const [name, utc] of [
      ['since', '2026-01-01T22:00Z'],
      ['until', '2026-01-01T00:00Z'],
    ] as const)
      assert.match(form, new RegExp(`name="${name}"[^>]*data-utc="${utc}"`));
    assert.match(form, /name="onlyFailed" value="on"\s*\/>/);
    assert.equal((await developer.submit(`${one}/redeliveries/${'0'.repeat(32)}/end`)).status, 404);
    const actions = (await listAudit(service.pool, merchant, { limit: 2 })).map(({ action }) => action);
    assert.deepEqual(actions, ['events.resend-period', 'events.resend']);
  });

  // decision: place-of-personal-data
  test('what is posted for an event is shown as it was, with its headers and without the secret, to its beginning', async () => {
    const { merchant, client } = await service.openShop();
    const developer = await signIn(service, merchant.id, 'developer');
    const at = `/console/${merchant.id}/webhooks`;
    const [webhookId, otherId] = [await makeOne(developer, at), await makeOne(developer, at)];
    const paymentId = await makePayment(client, { ...anOrder(7), reference: '<b>&"O’Neill"' });
    const shownOf = async (id: string, query = ''): Promise<string> =>
      (await developer.ask(`${at}/${id}${query}`)).text();
    const shown = await until('the event to be delivered', async () => {
      const page = await shownOf(webhookId, '?state=delivered');
      return page.includes('/resend') && page;
    });
    const [, eventId = ''] = /events\/([0-9a-f]{32})"/.exec(shown) ?? assert.fail('no link');
    const page = await shownOf(webhookId, `/events/${eventId}`);
    const shownTexts = Array.from(page.matchAll(/<pre[^>]*><code>([^<]*)<\/code>/g), ([, text = '']) => unescape(text));
    const [head = '', body = ''] = shownTexts;
    const posted =
      received.find(({ headers }) => headers['webhook-id'] === eventId) ?? assert.fail('nothing was received');
    assert.deepEqual(JSON.parse(body), JSON.parse(posted.text));
    assert.equal((JSON.parse(body) as { data: { paymentId: string } }).data.paymentId, paymentId);
    for (const name of ['content-type', 'user-agent', 'webhook-id'])
      assert.ok(head.split('\n').includes(`${name}: ${String(posted.headers[name])}`), head);
    const [, timestamp = ''] = /webhook-timestamp: (\d+)\n/.exec(head) ?? assert.fail(head);
    assert.ok(Math.abs(Number(timestamp) - Number(posted.headers['webhook-timestamp'])) <= 1);
    assert.match(head, /webhook-signature: v1,\(the signature\)/);
    assert.doesNotMatch(page, SECRET);

    const many = Array.from({ length: 400 }, (_, n) => ({ ...anOrder(1).items[0], name: `${'é'.repeat(120)} ${n}` }));
    await makePayment(client, { ...anOrder(400), items: many });
    const long = await until('the long one', async () => {
      const [, id] = /events\/([0-9a-f]{32})"/.exec(await shownOf(otherId, '?state=delivered')) ?? [];
      return id !== undefined && id !== eventId && (await shownOf(otherId, `/events/${id}`));
    });
    assert.match(long, /The beginning of \d+ kB\./);
    assert.ok(long.length < 200_000, String(long.length));
    const stranger = await signIn(service, (await service.openShop()).merchant.id, 'admin');
    const strangers = stranger.ask(`/console/${merchant.id}/webhooks/${webhookId}/events/${eventId}`);
    for (const answer of [strangers, developer.ask(`${at}/${webhookId}/events/${'0'.repeat(32)}`)])
      assert.equal((await answer).status, 404);
  });

  test('what takes something away is asked about before, by the page alone', async () => {
    const { merchant } = await service.openShop();
    const developer = await signIn(service, merchant.id, 'developer');
    const at = `/console/${merchant.id}/webhooks`;
    const id = await makeOne(developer, at);
    const page = await (await developer.ask(`${at}/${id}`)).text();
    for (const act of ['disable', 'rotate', 'delete'])
      assert.match(
        page,
        new RegExp(`<details class="confirm">\\s*<summary[^>]*>[^<]*</summary>\\s*<form [^>]*/${act}"`),
        act,
      );
    assert.equal(page.match(/<form [^>]*\/(?:disable|rotate|delete)"/g)?.length, 3);
  });

  test('nobody without the right, or of another merchant, by whatever address', async () => {
    const [{ merchant }, other] = [await service.openShop(), await service.openShop()];
    const developer = await signIn(service, merchant.id, 'developer');
    const stranger = await signIn(service, other.merchant.id, 'admin');
    const at = `/console/${merchant.id}/webhooks`;
    await developer.submit(`${at}/create`, { url: `${url}/theirs` });
    const [webhook] = await listWebhooks(service.pool, merchant.id);
    const acts = ['change', 'enable', 'disable', 'delete', 'rotate', 'ping'];
    const resends = ['redeliver', `events/${'0'.repeat(32)}/resend`, `redeliveries/${'0'.repeat(32)}/end`];
    const visitors = await Promise.all(
      ROLES.map(async (role) => [role, await signIn(service, merchant.id, role)] as const),
    );
    for (const [role, visitor] of visitors) {
      if (role === 'developer' || role === 'admin') continue;
      for (const path of [at, `${at}/${webhook?.id}`]) assert.equal((await visitor.ask(path)).status, 404, role);
      assert.equal((await visitor.submit(`${at}/create`, { url })).status, 404, role);
      for (const act of acts) assert.equal((await visitor.submit(`${at}/${webhook?.id}/${act}`)).status, 404, role);
      const sent = await visitor.submit(`${at}/${webhook?.id}/redeliver`, { since: '2026-01-01T00:00' });
      assert.equal(sent.status, 404, role);
    }
    for (const home of [at, `/console/${other.merchant.id}/webhooks`])
      for (const act of [...acts, ...resends])
        assert.equal((await stranger.submit(`${home}/${webhook?.id}/${act}`)).status, 404, act);
    assert.deepEqual(await listWebhooks(service.pool, merchant.id), [webhook]);
    await service.pool.query(
      `update sessions set proved_at = now() - interval '1 hour' where person_id = (select id from people where email = $1)`,
      [developer.email],
    );
    for (const path of [`${at}/create`, `${at}/${webhook?.id}/rotate`])
      assert.doesNotMatch((await developer.submit(path, { url })).headers.get('location') ?? '', /\/console\/prove/);
    await service.pool.query('update merchants set live = true where id = $1', [merchant.id]);
    for (const path of [`${at}/create`, `${at}/${webhook?.id}/rotate`])
      assert.match((await developer.submit(path, { url })).headers.get('location') ?? '', /\/console\/prove/);
  });
});
