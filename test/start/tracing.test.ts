// Goal: one trace leads from a shop's request through Kassa to its acquirer and to its webhook, nothing secret is in it,
// and it is free where nobody asks for it. Method: a real service with a real collector, an acquirer and a webhook that
// keep what they are sent.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root } from '../../proof/program.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { aCreate } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { readMetrics } from '../support/metrics.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { spawnService } from '../support/service.ts';
import type { SpawnedService } from '../support/service.ts';

type Attribute = {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
};
type SpanJson = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
};

const CARD = '4925000000000004';
const API_KEY = 'key-of-the-collector';
const PARENT_SPAN = '00f067aa0ba902b7';
const TRACE_ID = /^[0-9a-f]{32}$/;

const newTrace = (): string => randomBytes(16).toString('hex');
const parentOf = (traceId: string): Record<string, string> => ({ traceparent: `00-${traceId}-${PARENT_SPAN}-01` });
const originOf = ({ url }: Receiver): string => new URL(url).origin;

const spansIn = ({ received }: Receiver): SpanJson[] =>
  received.flatMap(({ body }) => body.resourceSpans[0].scopeSpans[0].spans as SpanJson[]);

const valueOf = ({ attributes }: SpanJson, wanted: string): string | undefined => {
  const value = attributes.find(({ key }) => key === wanted)?.value;
  return value?.stringValue ?? value?.intValue;
};

/** The spans of a trace, once those of these names are there. */
const traceOf = (collector: Receiver, traceId: string, ...names: string[]): Promise<SpanJson[]> =>
  until(`${names.join(', ')} of trace ${traceId}`, () => {
    const spans = spansIn(collector).filter((span) => span.traceId === traceId);
    return names.every((name) => spans.some((span) => span.name === name)) && spans;
  });

describe('with a collector', () => {
  let [service, collector, bank]: [SpawnedService?, Receiver?, Receiver?] = [];
  const running = (): { service: SpawnedService; collector: Receiver; bank: Receiver } => {
    assert.ok(service && collector && bank);
    return { service, collector, bank };
  };
  before(async () => {
    [collector, bank] = await Promise.all([openReceiver(), openReceiver()]);
    bank.react((response, { body }) => response.end(JSON.stringify({ id: body.id, state: 'approved' })));
    service = await spawnService({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: originOf(collector),
        OTEL_EXPORTER_OTLP_HEADERS: `api-key=${API_KEY}`,
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      },
    });
    await putAcquirer(service.pool, { name: 'traced', url: originOf(bank), key: 'key-of-the-bank' });
  });
  after(async () => {
    await service?.stop();
    await Promise.all([collector?.close(), bank?.close()]);
  });

  test('a request, its commits, its call of the acquirer and the delivery of its event are one trace', async (t) => {
    const { service: kassa, collector: spans, bank: acquirer } = running();
    const { client, merchant } = await kassa.openShop({ acquirer: 'traced' });
    const webhook = await openReceiver();
    t.after(() => webhook.close());
    await client.must(201, 'POST', '/v1/webhooks', { url: webhook.url, events: ['payment.charge.created.v2'] });
    const paymentId = await client.createReserved(10_000, CARD);
    const traceId = newTrace();
    const charged = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 10_000 }, parentOf(traceId));
    assert.equal(charged.status, 201);
    assert.equal(charged.headers.get('x-request-id'), traceId);

    const route = 'POST /v1/payments/:paymentId/charges';
    const trace = await traceOf(spans, traceId, route, 'POST /operations', 'commit', 'load', 'deliver');
    const [request, ...more] = trace.filter(({ name }) => name === route);
    assert.ok(request !== undefined && more.length === 0);
    assert.deepEqual([request.parentSpanId, request.kind], [PARENT_SPAN, 2]);
    assert.deepEqual(
      ['http.request.method', 'http.route', 'http.response.status_code', 'kassa.merchant_id'].map((key) =>
        valueOf(request, key),
      ),
      ['POST', '/v1/payments/:paymentId/charges', '201', String(merchant.id)],
    );
    for (const span of trace) if (span !== request) assert.equal(span.parentSpanId, request.spanId, span.name);
    // What is to be asked for is committed before, and what came of it after.
    assert.equal(trace.filter(({ name }) => name === 'commit').length, 2);

    const call = trace.find(({ name }) => name === 'POST /operations') ?? assert.fail('no call');
    assert.equal(valueOf(call, 'kassa.acquirer'), 'traced');
    const asked = acquirer.received.find(({ headers }) => headers['traceparent']?.includes(traceId));
    assert.equal(asked?.headers['traceparent'], `00-${traceId}-${call.spanId}-01`);
    assert.equal(asked?.headers['authorization'], 'key-of-the-bank');

    const delivery = trace.find(({ name }) => name === 'deliver') ?? assert.fail('no delivery');
    assert.equal(valueOf(delivery, 'kassa.event'), 'payment.charge.created.v2');
    const [told] = await webhook.until(1);
    assert.equal(told?.headers['traceparent'], `00-${traceId}-${delivery.spanId}-01`);

    const first = spans.received[0] ?? assert.fail('nothing came');
    assert.equal(first.path, '/v1/traces');
    assert.equal(first.headers['api-key'], API_KEY);
    const resource = (first.body.resourceSpans[0].resource.attributes as Attribute[]).map(({ key }) => key);
    assert.deepEqual(resource, [
      'deployment.environment.name',
      'service.name',
      'service.version',
      'service.instance.id',
    ]);
  });

  test('the id of a request is that of its trace, unless the caller has one; a GUID is both', async () => {
    const { service: kassa, collector: spans } = running();
    const { client } = await kassa.openShop();
    const idOf = async (headers: Record<string, string>): Promise<string> =>
      (await client.get('/v1/payments/nothing', headers)).headers.get('x-request-id') ?? '';
    const route = 'GET /v1/payments/:paymentId';
    const own = await idOf({ traceparent: 'nonsense' });
    assert.match(own, TRACE_ID);
    const [fresh] = await traceOf(spans, own, route);
    assert.deepEqual(
      [fresh?.parentSpanId, valueOf(fresh as SpanJson, 'http.response.status_code')],
      [undefined, '404'],
    );

    const named = newTrace();
    assert.equal(await idOf({ ...parentOf(named), 'x-request-id': 'order-7' }), 'order-7');
    const [asked] = await traceOf(spans, named, route);
    assert.equal(valueOf(asked as SpanJson, 'kassa.request_id'), 'order-7');

    const guid = newTrace().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    assert.equal(await idOf({ 'x-request-id': guid }), guid);
    await traceOf(spans, guid.replaceAll('-', ''), route);
    // A caller who keeps nothing of it is followed in that.
    const left = newTrace();
    assert.equal(await idOf({ traceparent: `00-${left}-${PARENT_SPAN}-00` }), left);
    const later = await idOf({});
    await traceOf(spans, later, route);
    assert.deepEqual(
      spansIn(spans).filter(({ traceId }) => traceId === left),
      [],
    );
  });

  test('no key, card, name, address, parameter or id of a payment is in a span, and no probe is one', async () => {
    const { service: kassa, collector: spans } = running();
    const { client, secretKey } = await kassa.openShop();
    await client.get('/readyz');
    const consumer = { email: 'ada@lovelace.example', privatePerson: { firstName: 'Ada', lastName: 'Lovelace' } };
    const create = aCreate(10_000, { consumer, merchantHandlesConsumerData: true });
    const { paymentId } = (await client.post('/v1/payments', create)).body;
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { card: CARD });
    await client.get(`/v1/payments?paymentId=${paymentId}`);
    const last = await client.get(`/v1/payments/${paymentId}`);
    await traceOf(spans, last.headers.get('x-request-id') ?? '', 'GET /v1/payments/:paymentId');
    const told = spans.received.map(({ text }) => text).join('\n');
    assert.ok(told.includes('POST /v1/sandbox/payments/:paymentId/reserve'));
    for (const secret of [secretKey, secretKey.slice(-32), CARD, 'lovelace', 'Ada', paymentId, 'readyz', API_KEY])
      assert.equal(told.includes(secret), false, secret);
  });

  test('what the collector has no time for comes later, is counted, and the last comes before the end', async () => {
    const { service: kassa, collector: spans } = running();
    const { client } = await kassa.openShop();
    spans.react(503, 503, 200);
    const late = (await client.get('/v1/payments/late')).headers.get('x-request-id') ?? '';
    await until('two refusals', () => kassa.log().includes('spans could not be exported') || undefined);
    await traceOf(spans, late, 'GET /v1/payments/:paymentId');
    assert.match(await readMetrics(client), /^kassa_trace_spans_total\{outcome="sent"\} [1-9]/m);
    assert.equal(kassa.log().includes(API_KEY), false);
    const last = (await client.get('/v1/payments/last')).headers.get('x-request-id') ?? '';
    assert.equal(await kassa.stop(), 0);
    assert.ok(spansIn(spans).some(({ traceId }) => traceId === last));
  });
});

test('a collector that never answers holds up no request and no end', async (t) => {
  const collector = await openReceiver();
  t.after(() => collector.close());
  collector.react(() => {});
  const service = await spawnService({ env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url } });
  t.after(() => service.kill());
  const { client } = await service.openShop();
  await client.create();
  await collector.until(1);
  await client.create();
  assert.equal(await service.stop(), 0);
});

test('without a setting nothing of it is loaded', () => {
  const seen = new Set<string>();
  const walk = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const imports = readFileSync(join(root, path), 'utf8').matchAll(
      /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gms,
    );
    for (const [, target = ''] of imports) walk(join(dirname(path), target));
  };
  for (const path of ['src/start/service.ts', 'src/start/worker.ts']) walk(path);
  assert.ok(seen.size > 100 && seen.has('src/start/payments.ts'));
  const loaded = [...seen].filter((path) => /ops\/tracing\/|trace-requests|start\/tracing/.test(path));
  assert.deepEqual(loaded, []);
});
