// The tracing settings, with the standard names of OpenTelemetry. Traces are off unless an endpoint or the exporter is set.
// Invalid values only matter if traces are on, since these variables are often set for all programs of a machine.
import { BadConfig } from './bad-config.ts';

/** Every tracing setting: its default and its meaning. */
export const TRACING_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: ['', 'Address of your collector without /v1/traces. Default: off.'],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ['', 'Full address for traces, instead of the one above.'],
  OTEL_EXPORTER_OTLP_HEADERS: ['', 'Headers for the collector, such as api-key=…,tenant=….'],
  OTEL_EXPORTER_OTLP_PROTOCOL: ['http/json', 'Protocol: HTTP; grpc is not supported.'],
  OTEL_TRACES_EXPORTER: ['otlp', 'otlp or none; otlp without an endpoint uses localhost.'],
  OTEL_TRACES_SAMPLER: ['parentbased_always_on', 'Sampler.'],
  OTEL_TRACES_SAMPLER_ARG: ['1', 'Ratio for traceidratio.'],
  OTEL_SERVICE_NAME: ['kassa', 'Service name of the spans.'],
  OTEL_RESOURCE_ATTRIBUTES: ['', 'Further resource attributes, such as a=b,c=d.'],
  OTEL_SDK_DISABLED: ['false', 'true disables traces, whatever else is set.'],
} as const;

export type TracingSetting = keyof typeof TRACING_SETTINGS;

type Sampling = {
  /** Whether to follow the caller's decision, if there is one. */
  readonly byParent: boolean;
  /** The share of traces to keep, from 0 to 1. */
  readonly ratio: number;
};

export type TracingConfig = {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The attributes of all spans. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampling: Sampling;
};

type Environment = Readonly<Record<string, string | undefined>>;

// The default address of a collector.
const USUAL_ENDPOINT = 'http://localhost:4318';
const PROTOCOLS = new Set(['http/json', 'http/protobuf']);
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'];
const MOST_PAIRS = 32;
const LONGEST_VALUE = 1_024;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\u{20}-\u{7e}]*$/u;

const bad = (name: TracingSetting, expected: string): BadConfig => new BadConfig(`${name} must be ${expected}.`);

/** `name=value` pairs separated by commas, percent-encoded. Errors do not repeat the text: it may contain a key. */
function readPairs(setting: TracingSetting, text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  const wrong = bad(setting, `at most ${MOST_PAIRS} pairs such as name=value, separated by commas`);
  if (pairs.length > MOST_PAIRS) throw wrong;
  const read = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    try {
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)].map((part) => decodeURIComponent(part.trim()));
      if (at > 0 && name && value !== undefined && value.length <= LONGEST_VALUE) return [name, value];
    } catch {
      // An invalid percent-encoding.
    }
    throw wrong;
  });
  return Object.fromEntries(read);
}

function readHeaders(text: string): Record<string, string> {
  const headers = readPairs('OTEL_EXPORTER_OTLP_HEADERS', text);
  if (!Object.entries(headers).every(([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value)))
    throw bad('OTEL_EXPORTER_OTLP_HEADERS', 'valid header names and values, such as api-key=…');
  return headers;
}

function readEndpoint(name: TracingSetting, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.hash === '';
  if (!isPlain || url.username !== '' || url.password !== '')
    throw bad(name, 'a plain http or https address such as http://collector.example:4318');
  return url.href;
}

function readRatio(text: string): number {
  const ratio = /^[\d.]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(ratio >= 0 && ratio <= 1)) throw bad('OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1, such as 0.05');
  return ratio;
}

function readSampling(name: string, ratio: string): Sampling {
  const [, parent = '', kind = ''] = /^(parentbased_)?(\w+)$/.exec(name) ?? [];
  if (!SAMPLERS.includes(kind))
    throw bad('OTEL_TRACES_SAMPLER', `${SAMPLERS.join(', ')}, or parentbased_ and one of them`);
  const ratios: Readonly<Record<string, number>> = { always_on: 1, always_off: 0 };
  return { byParent: parent !== '', ratio: ratios[kind] ?? readRatio(ratio) };
}

/** Undefined if traces are off. */
export function readTracing(environment: Environment): TracingConfig | undefined {
  const given = (name: TracingSetting): string => environment[name]?.trim() ?? '';
  const setting = (name: TracingSetting): string => given(name) || TRACING_SETTINGS[name][0];
  const [whole, base] = [given('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'), given('OTEL_EXPORTER_OTLP_ENDPOINT')];
  const exporter = given('OTEL_TRACES_EXPORTER');
  const isDisabled = given('OTEL_SDK_DISABLED').toLowerCase() === 'true';
  if (isDisabled || exporter === 'none' || (whole === '' && base === '' && exporter === '')) return undefined;
  if (exporter !== '' && exporter !== 'otlp') throw bad('OTEL_TRACES_EXPORTER', 'otlp or none');
  if (!PROTOCOLS.has(setting('OTEL_EXPORTER_OTLP_PROTOCOL')))
    throw bad('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json; collectors accept it on their HTTP port, usually 4318');
  const endpoint =
    whole === ''
      ? `${readEndpoint('OTEL_EXPORTER_OTLP_ENDPOINT', base || USUAL_ENDPOINT).replace(/\/+$/, '')}/v1/traces`
      : readEndpoint('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', whole);
  const attributes = readPairs('OTEL_RESOURCE_ATTRIBUTES', given('OTEL_RESOURCE_ATTRIBUTES'));
  const name = given('OTEL_SERVICE_NAME') || attributes['service.name'] || TRACING_SETTINGS.OTEL_SERVICE_NAME[0];
  return {
    endpoint,
    headers: readHeaders(given('OTEL_EXPORTER_OTLP_HEADERS')),
    resource: { ...attributes, 'service.name': name },
    sampling: readSampling(setting('OTEL_TRACES_SAMPLER'), setting('OTEL_TRACES_SAMPLER_ARG')),
  };
}
