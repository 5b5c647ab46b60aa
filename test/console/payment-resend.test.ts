// Goal: whoever may send events again does so from the page of a payment, to one who got them and without seeing webhooks;
// nobody else is offered it, and a direct try comes to nothing. Method: requests as browsers send them, an endpoint that
// really receives, and the page as each role gets it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listAudit } from '../../src/store/audit/audit.ts';
import { listWebhooks } from '../../src/store/events/webhooks.ts';
import { aCreate } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import type { Visitor } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import { elementsOf } from '../support/markup.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const EVENT = 'payment.reservation.created';

describe('sending again from the page of a payment', () => {
  let service: SharedService;
  let receiver: Receiver;
  before(async () => {
    service = shareService();
    receiver = await openReceiver();
  });
  after(async () => {
    await receiver.close();
    await service.close();
  });

  /** A payment whose reservation was told to a webhook; its own hook, where it has one, is told of it as well. */
  async function open(hookUrl?: string) {
    const shop = await service.openShop();
    const { merchant, client } = shop;
    await client.must(201, 'POST', '/v1/webhooks', { url: receiver.url, events: [EVENT] });
    const created = aCreate();
    const webHooks = [{ eventName: EVENT, url: hookUrl ?? '', authorization: 'of-the-hook' }];
    const body = hookUrl === undefined ? created : { ...created, notifications: { webHooks } };
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    const path = `/console/${merchant.id}/payments/${paymentId}`;
    const operator = await signIn(service, merchant.id, 'operator');
    return { shop, merchant, client, paymentId, path, operator };
  }

  type Form = { readonly action: string; readonly to: string };

  /** The forms that the page offers. */
  async function formsOn(who: Visitor, path: string): Promise<Form[]> {
    const elements = elementsOf(await (await who.ask(path)).text());
    const actions = elements.filter(({ attributes }) => attributes['action']?.endsWith('/resend'));
    const fields = elements.filter(({ attributes }) => attributes['name'] === 'to');
    return actions.map(({ attributes }, at) => ({
      action: attributes['action'] ?? '',
      to: fields[at]?.attributes['value'] ?? '',
    }));
  }

  const untilOffered = (who: Visitor, path: string, count: number): Promise<Form[]> =>
    until(`${count} to be offered`, async () => {
      const forms = await formsOn(who, path);
      return forms.length === count ? forms : undefined;
    });

  test('an operator sends an event again to a webhook, and the page says so; the audit tells of it', async () => {
    const { merchant, path, operator } = await open();
    const [form] = await untilOffered(operator, path, 1);
    assert.ok(form);
    const count = receiver.received.length;
    const sent = await operator.submit(form.action, { to: form.to });
    const back = sent.headers.get('location') ?? '';
    assert.deepEqual([sent.status, back.startsWith(`${path}?resent=`)], [303, true]);
    await until('it to come again', () => receiver.received.length > count);
    assert.equal(receiver.received.at(-1)?.body.event, EVENT);
    const page = await (await operator.ask(back)).text();
    assert.match(page, new RegExp(`${EVENT} is on its way again\\.`));
    assert.match(page, /<details class="told" open>/);
    assert.doesNotMatch(page, /class="badge bad"/, 'it was taken before, so nothing has failed');
    const [record] = await listAudit(service.pool, merchant, { limit: 1 });
    assert.deepEqual([record?.action, record?.actor.name], ['events.resend', operator.email]);
    assert.equal((await operator.ask(`/console/${merchant.id}/webhooks`)).status, 404, 'webhooks stay the developers’');
  });

  test('the query of a webhook’s address, which may hold a token, is for developers alone', async () => {
    const { merchant, path, operator } = await open(`${receiver.url}?token=of-the-shop`);
    await untilOffered(operator, path, 2);
    const page = await (await operator.ask(path)).text();
    assert.doesNotMatch(page, /of-the-shop/);
    assert.ok(page.includes(`${receiver.url}?…`));
    const developer = await signIn(service, merchant.id, 'developer');
    assert.match(await (await developer.ask(path)).text(), /token=of-the-shop/);
  });

  test('to the payment’s own hook alone', async () => {
    const own = await openReceiver();
    try {
      const { path, operator } = await open(own.url);
      const forms = await untilOffered(operator, path, 2);
      const hook = forms.find(({ to }) => to === 'hook-0') ?? assert.fail('no hook is offered');
      const [atHook, atWebhook] = [own.received.length, receiver.received.length];
      assert.equal((await operator.submit(hook.action, { to: hook.to })).status, 303);
      await own.until(atHook + 1);
      await until('it to be delivered', async () => (await formsOn(operator, path)).length === 2);
      assert.equal(receiver.received.length, atWebhook);
      assert.equal((await operator.submit(hook.action, { to: 'hook-7' })).status, 404);
    } finally {
      await own.close();
    }
  });

  test('who only looks is offered nothing, and neither they nor a stranger get through directly', async () => {
    const { merchant, path, operator } = await open();
    const [form] = await untilOffered(operator, path, 1);
    assert.ok(form);
    const viewer = await signIn(service, merchant.id, 'viewer');
    const other = await service.openShop();
    const stranger = await signIn(service, other.merchant.id, 'admin');
    assert.deepEqual(await formsOn(viewer, path), []);
    const rows = async (): Promise<unknown> =>
      service.pool.query('select state, redelivery_count from deliveries where subject_id = $1', [
        path.split('/').at(-1),
      ]);
    const earlier = await rows();
    for (const who of [viewer, stranger])
      for (const address of [form.action, form.action.replace(String(merchant.id), String(other.merchant.id))])
        assert.equal((await who.submit(address, { to: form.to })).status, 404);
    assert.deepEqual(await rows(), earlier);
  });

  test('nothing is sent of another payment, to nobody, or to what is switched off; each is said on the page', async () => {
    const { merchant, client, path, operator } = await open();
    const [form] = await untilOffered(operator, path, 1);
    assert.ok(form);
    const elsewhere = form.action.replace(/payments\/\w+/, `payments/${await client.createReserved()}`);
    const unknown = form.action.replace(/events\/\w+/, `events/${'0'.repeat(32)}`);
    const textOf = async (answer: Response): Promise<string> => (await answer.text()).replaceAll(/<[^>]*>/g, ' ');
    for (const [action, to] of [
      [elsewhere, form.to],
      [unknown, form.to],
      [form.action, 'nobody'],
      [form.action, ''],
      [form.action, '0'.repeat(32)],
    ] as const) {
      const refused = await operator.submit(action, { to });
      assert.equal(refused.status, 404, `${action} ${to}`);
      assert.match(await textOf(refused), /There is no such event, or it is no longer kept\./);
    }
    const [webhook] = await listWebhooks(service.pool, merchant.id);
    await client.must(204, 'PUT', `/v1/webhooks/${webhook?.id}`, { state: 'disabled' });
    const off = await operator.submit(form.action, { to: form.to });
    assert.equal(off.status, 409);
    assert.match(await textOf(off), /The webhook is switched off; switch it on first\./);
    assert.deepEqual(await formsOn(operator, path), [], 'and it is not offered any more');
  });
});
