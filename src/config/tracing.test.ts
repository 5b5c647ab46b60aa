// The settings of traces: off unless asked for, read as OpenTelemetry writes them, and refused in one sentence that repeats
// no key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadConfig } from './bad-config.ts';
import { readTracing } from './tracing.ts';
import type { TracingSetting } from './tracing.ts';

type Given = Partial<Record<TracingSetting, string>>;

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' } as const;

test('there are no traces unless an endpoint or the exporter is named, nor where they are switched off', () => {
  const off: readonly Given[] = [
    {},
    { OTEL_SERVICE_NAME: 'shop', OTEL_TRACES_SAMPLER: 'nonsense' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' },
    { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  ];
  for (const given of off) assert.equal(readTracing(given), undefined, JSON.stringify(given));
});

test('what is named is read, and the rest is as usual', () => {
  assert.deepEqual(readTracing(ENDPOINT), {
    endpoint: 'http://collector:4318/v1/traces',
    headers: {},
    resource: { 'service.name': 'kassa' },
    sampling: { byParent: true, ratio: 1 },
  });
  const given = {
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in?tenant=1',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc%3D, x-tenant = one',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test%20one',
    OTEL_SERVICE_NAME: 'tills',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  };
  assert.deepEqual(readTracing(given), {
    endpoint: 'https://traces.example/in?tenant=1',
    headers: { 'api-key': 'abc=', 'x-tenant': 'one' },
    resource: { 'service.name': 'tills', 'deployment.environment.name': 'test one' },
    sampling: { byParent: false, ratio: 0.25 },
  });
  assert.equal(readTracing({ OTEL_TRACES_EXPORTER: 'otlp' })?.endpoint, 'http://localhost:4318/v1/traces');
  assert.equal(readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c/base/' })?.endpoint, 'http://c/base/v1/traces');
});

test('every sampler of the standard is known', () => {
  const samplingOf = (name: string, argument = '0.5') =>
    readTracing({ ...ENDPOINT, OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument })?.sampling;
  assert.deepEqual(samplingOf('always_on'), { byParent: false, ratio: 1 });
  assert.deepEqual(samplingOf('always_off'), { byParent: false, ratio: 0 });
  assert.deepEqual(samplingOf('parentbased_always_off'), { byParent: true, ratio: 0 });
  assert.deepEqual(samplingOf('parentbased_traceidratio'), { byParent: true, ratio: 0.5 });
  assert.deepEqual(samplingOf('traceidratio', '0'), { byParent: false, ratio: 0 });
});

test('what is wrong is named and not repeated', () => {
  const wrong: readonly (readonly [TracingSetting, string])[] = [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'https://me:secret@traces.example'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api key=secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=secret%0a'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=secret%'],
    ['OTEL_RESOURCE_ATTRIBUTES', '=secret'],
    ['OTEL_RESOURCE_ATTRIBUTES', Array.from({ length: 33 }, (_, index) => `secret${index}=1`).join()],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'console'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER', 'parentbased_'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
  ];
  for (const [name, value] of wrong)
    assert.throws(
      () => readTracing({ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', [name]: value }),
      (error: Error) =>
        error instanceof BadConfig && error.message.startsWith(`${name} must be `) && !error.message.includes('secret'),
      `${name}=${value}`,
    );
});
