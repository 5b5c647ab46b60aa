// Spans and their way to a collector: which trace they belong to, which are kept, and that the queue is bounded. Method:
// the exporter sends to a real server that gives scripted responses.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { openExporter } from './exporter.ts';
import { newTraceId, openTracer, readTraceId, readTraceparent, traceparentOf } from './tracer.ts';
import type { Beginning } from './tracer.ts';

type SpanJson = { readonly traceId: string; readonly spanId: string; readonly parentSpanId?: string };
type Batch = { readonly headers: Record<string, unknown>; readonly spans: readonly SpanJson[] };

/** A collector that answers with these statuses in turn, the last for good. */
async function openCollector(t: TestContext, ...statuses: number[]): Promise<{ endpoint: string; batches: Batch[] }> {
  const batches: Batch[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      batches.push({ headers: request.headers, spans: body.resourceSpans[0].scopeSpans[0].spans });
      response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, batches };
}

type Limits = { readonly count: number; readonly bytes: number };

function exporterFor(t: TestContext, endpoint: string, most?: Limits) {
  const counts: Record<string, number> = {};
  const exporter = openExporter({
    endpoint,
    headers: { 'api-key': 'k' },
    resource: { 'service.name': 'kassa' },
    scope: { name: 'kassa', version: '1' },
    onCounted: (outcome, count) => (counts[outcome] = (counts[outcome] ?? 0) + count),
    ...(most && { most }),
  });
  t.after(() => exporter.close());
  const tracer = openTracer({ byParent: true, ratio: 1 }, (json) => exporter.add(json));
  const make = (count: number): void => {
    for (let index = 0; index < count; index += 1) tracer.begin({ kind: 'client' }).end({ name: `span ${index}` });
  };
  return { exporter, counts, make };
}

test('a traceparent is read as W3C writes it, and anything else is none', () => {
  const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  assert.deepEqual(readTraceparent(`00-${trace}-${span}-01`), { traceId: trace, spanId: span, isSampled: true });
  assert.equal(readTraceparent(`00-${trace}-${span}-02`)?.isSampled, false);
  assert.equal(readTraceparent(`01-${trace}-${span}-03-more`)?.isSampled, true);
  const none = [
    undefined,
    '',
    [`00-${trace}-${span}-01`],
    `00-${trace}-${span}-01-more`,
    `ff-${trace}-${span}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${span}`,
  ];
  for (const text of none) assert.equal(readTraceparent(text), undefined, String(text));
  assert.equal(traceparentOf({ traceId: trace, spanId: span, isSampled: false }), `00-${trace}-${span}-00`);
  assert.equal(readTraceId('0AF76519-16CD-43DD-8448-EB211C80319C'), trace);
  for (const text of ['order-1', '0'.repeat(32), trace.slice(1)]) assert.equal(readTraceId(text), undefined, text);
});

test('what is under way is the parent, also after waiting, and nothing else is', async () => {
  const kept: SpanJson[] = [];
  const tracer = openTracer({ byParent: true, ratio: 1 }, (json) => kept.push(JSON.parse(json)));
  const outer = tracer.begin({ kind: 'server' });
  await tracer.within(outer.context, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    tracer.begin({ kind: 'client' }).end({ name: 'inner' });
  });
  tracer.begin({ kind: 'client' }).end({ name: 'beside' });
  outer.end({ name: 'outer', attributes: { count: 2, part: 0.5, is: true, left: undefined, 'error.type': '500' } });
  const [inner, beside, whole] = kept;
  assert.equal(inner?.parentSpanId, outer.context.spanId);
  assert.equal(inner?.traceId, outer.context.traceId);
  assert.equal(beside?.parentSpanId, undefined);
  assert.notEqual(beside?.traceId, outer.context.traceId);
  const { startTimeUnixNano, endTimeUnixNano, attributes, status, kind } = whole as unknown as Record<string, string>;
  assert.match(`${startTimeUnixNano} ${endTimeUnixNano}`, /^\d{19} \d{19}$/);
  assert.ok(BigInt(startTimeUnixNano ?? 0) <= BigInt(endTimeUnixNano ?? 0));
  assert.deepEqual(attributes, [
    { key: 'count', value: { intValue: '2' } },
    { key: 'part', value: { doubleValue: 0.5 } },
    { key: 'is', value: { boolValue: true } },
    { key: 'error.type', value: { stringValue: '500' } },
  ]);
  assert.deepEqual([status, kind], [{ code: 2 }, 2]);
});

test('a part of the traces is kept, of each the same spans everywhere; a caller’s decision counts where it is to', () => {
  const keep = (byParent: boolean, ratio: number, beginning: Partial<Beginning>): boolean => {
    let isKept = false;
    const tracer = openTracer({ byParent, ratio }, () => (isKept = true));
    const span = tracer.begin({ kind: 'server', ...beginning });
    span.end({ name: 'one' });
    assert.equal(isKept, span.context.isSampled);
    return isKept;
  };
  const ids = Array.from({ length: 2_000 }, newTraceId);
  const kept = ids.filter((traceId) => keep(false, 0.25, { traceId }));
  assert.ok(kept.length > 300 && kept.length < 700, String(kept.length));
  assert.deepEqual(
    kept,
    ids.filter((traceId) => keep(true, 0.25, { traceId })),
  );
  const parent = { traceId: newTraceId(), spanId: '00f067aa0ba902b7' };
  assert.equal(keep(true, 0, { parent: { ...parent, isSampled: true } }), true);
  assert.equal(keep(true, 1, { parent: { ...parent, isSampled: false } }), false);
  assert.equal(keep(false, 1, { parent: { ...parent, isSampled: false } }), true);
  assert.equal(keep(false, 0, { parent: { ...parent, isSampled: true } }), false);
});

test('spans go out in batches, with the headers, each once', async (t) => {
  const { endpoint, batches } = await openCollector(t, 200);
  const { exporter, counts, make } = exporterFor(t, endpoint);
  make(1_100);
  await Promise.all([exporter.write(), exporter.write()]);
  assert.deepEqual(
    batches.map(({ spans }) => spans.length),
    [512, 512, 76],
  );
  assert.equal(new Set(batches.flatMap(({ spans }) => spans.map(({ spanId }) => spanId))).size, 1_100);
  assert.deepEqual([batches[0]?.headers['api-key'], batches[0]?.headers['content-type']], ['k', 'application/json']);
  assert.deepEqual(counts, { sent: 1_100 });
  await exporter.write();
  assert.equal(batches.length, 3);
});

test('while the collector is away spans wait within bounds of count and bytes; what has no room is counted', async (t) => {
  const { endpoint, batches } = await openCollector(t, 503, 429, 200);
  const few = exporterFor(t, endpoint, { count: 10, bytes: 1_000_000 });
  few.make(13);
  await assert.rejects(few.exporter.write(), /the collector of traces answers 503/);
  await assert.rejects(few.exporter.write(), /429/);
  few.make(1);
  assert.deepEqual(few.counts, { dropped: 4 });
  await few.exporter.write();
  assert.deepEqual(few.counts, { dropped: 4, sent: 10 });
  assert.deepEqual(
    batches.map(({ spans }) => spans.length),
    [10, 10, 10],
  );
  few.make(10);
  await few.exporter.write();
  assert.deepEqual(few.counts, { dropped: 4, sent: 20 });

  const small = exporterFor(t, 'http://127.0.0.1:1/v1/traces', { count: 1_000, bytes: 2_000 });
  small.make(100);
  assert.ok((small.counts['dropped'] ?? 0) > 80, JSON.stringify(small.counts));
  await assert.rejects(small.exporter.write(), /ECONNREFUSED/);
  small.exporter.close();
  assert.deepEqual(small.counts, { dropped: 100 });
});

test('what the collector will never take is let go', async (t) => {
  const { endpoint, batches } = await openCollector(t, 400, 200);
  const { exporter, counts, make } = exporterFor(t, endpoint);
  make(3);
  await assert.rejects(exporter.write(), /answers 400/);
  make(2);
  await exporter.write();
  assert.deepEqual(counts, { refused: 3, sent: 2 });
  assert.deepEqual(
    batches.map(({ spans }) => spans.length),
    [3, 2],
  );
});
