// The faults of the bank: their settings, and which of them affect a request. All random choices are made when the request
// arrives. Zero always means off.
import { BadField, readObject, readWhole } from './bad-field.ts';

export type Latency =
  | { readonly kind: 'none' }
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'uniform'; readonly minMs: number; readonly maxMs: number }
  /** Like real services: most responses near the median, a few far beyond. */
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly p99Ms: number };

/** Each fault and its meaning, for the documentation and the help. */
export const FAULTS = {
  latency: 'Time that an answer takes, a random part of it before the bank acts, the rest after.',
  actsLateMs: 'Time before the bank acts, also for an asker who has gone. Questions are answered meanwhile.',
  hang: 'Probability that nothing is done and the request never answered.',
  loseBefore: 'Probability that the connection is cut before the bank acts.',
  errorBefore: 'Probability of a 500 without the bank having acted.',
  die: 'Probability that the bank acts and then ends by SIGKILL, without an answer.',
  loseAfter: 'Probability that the bank acts and then cuts the connection, without an answer.',
  hangAfter: 'Probability that the bank acts and never answers.',
  errorAfter: 'Probability that the bank acts and then answers 500.',
  twice: 'Probability that the same request reaches the bank once more, after its answer.',
  ratePerSecond: 'Requests a second; beyond, 429 with Retry-After. 0: no limit.',
  clockOffsetMs: "What the bank's clock is ahead of the true time; negative: behind.",
} as const;

/** One of each kind, for the help. */
export const LATENCY_EXAMPLES: readonly Latency[] = [
  { kind: 'none' },
  { kind: 'fixed', ms: 200 },
  { kind: 'uniform', minMs: 50, maxMs: 500 },
  { kind: 'lognormal', medianMs: 80, p99Ms: 2_000 },
];

type Name = keyof typeof FAULTS;
type Chance = Exclude<Name, 'latency' | 'actsLateMs' | 'ratePerSecond' | 'clockOffsetMs'>;

export type Faults = Readonly<Record<Chance, number>> & {
  readonly latency: Latency;
  readonly actsLateMs: number;
  readonly ratePerSecond: number;
  readonly clockOffsetMs: number;
};

const LONGEST_MS = 600_000;
const HIGHEST_RATE = 1_000_000;
const LARGEST_OFFSET_MS = 10 * 365 * 86_400_000;

const LATENCY_FIELDS: Readonly<Record<Latency['kind'], readonly string[]>> = {
  none: [],
  fixed: ['ms'],
  uniform: ['minMs', 'maxMs'],
  lognormal: ['medianMs', 'p99Ms'],
};
const LATENCY_KINDS = Object.keys(LATENCY_FIELDS) as Latency['kind'][];

function readLatency(value: unknown): Latency {
  if (value === undefined) return { kind: 'none' };
  const given = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  const kind = LATENCY_KINDS.find((known) => known === given);
  if (kind === undefined)
    throw new BadField('latency.kind', `must be one of ${LATENCY_KINDS.join(', ')}, such as {"kind":"fixed","ms":200}`);
  const fields = readObject(value, 'latency', ['kind', ...LATENCY_FIELDS[kind]]);
  const ms = (name: string, least: number): number => readWhole(fields[name], `latency.${name}`, least, LONGEST_MS);
  switch (kind) {
    case 'none':
      return { kind };
    case 'fixed':
      return { kind, ms: ms('ms', 0) };
    case 'uniform': {
      const minMs = ms('minMs', 0);
      return { kind, minMs, maxMs: ms('maxMs', minMs) };
    }
    case 'lognormal': {
      const medianMs = ms('medianMs', 1);
      return { kind, medianMs, p99Ms: ms('p99Ms', medianMs) };
    }
  }
}

function readChance(value: unknown, field: string): number {
  if (value === undefined) return 0;
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    throw new BadField(field, 'must be a probability from 0 to 1');
  return value;
}

/** Replaces all faults: those not named are off. */
export function readFaults(value: unknown): Faults {
  const fields = readObject(value, 'body', Object.keys(FAULTS));
  const chance = (name: Chance): number => readChance(fields[name], name);
  return {
    latency: readLatency(fields['latency']),
    actsLateMs: readWhole(fields['actsLateMs'] ?? 0, 'actsLateMs', 0, LONGEST_MS),
    hang: chance('hang'),
    loseBefore: chance('loseBefore'),
    errorBefore: chance('errorBefore'),
    die: chance('die'),
    loseAfter: chance('loseAfter'),
    hangAfter: chance('hangAfter'),
    errorAfter: chance('errorAfter'),
    twice: chance('twice'),
    ratePerSecond: readWhole(fields['ratePerSecond'] ?? 0, 'ratePerSecond', 0, HIGHEST_RATE),
    clockOffsetMs: readWhole(fields['clockOffsetMs'] ?? 0, 'clockOffsetMs', -LARGEST_OFFSET_MS, LARGEST_OFFSET_MS),
  };
}

/** Those that are on, as they were set. */
export function describeFaults(faults: Faults): Partial<Faults> {
  const isOn = ([name, value]: [string, unknown]): boolean =>
    name === 'latency' ? faults.latency.kind !== 'none' : value !== 0;
  return Object.fromEntries(Object.entries(faults).filter(isOn));
}

// The 99th percentile of a normal distribution lies this many standard deviations above its middle.
const DEVIATIONS_TO_P99 = 2.326;

function drawLatency(latency: Latency, random: () => number): number {
  switch (latency.kind) {
    case 'none':
      return 0;
    case 'fixed':
      return latency.ms;
    case 'uniform':
      return latency.minMs + random() * (latency.maxMs - latency.minMs);
    case 'lognormal': {
      const { medianMs, p99Ms } = latency;
      // Box-Muller transform; 1 minus, since log(0) is undefined.
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      return Math.min(LONGEST_MS, medianMs * (p99Ms / medianMs) ** (normal / DEVIATIONS_TO_P99));
    }
  }
}

export type Mishap = 'hang' | 'lose' | 'error' | 'die';

/** The faults of one request. */
export type Fate = {
  readonly waitBeforeMs: number;
  readonly before?: Mishap;
  readonly after?: Mishap;
  readonly waitAfterMs: number;
  readonly twice: boolean;
};

/** If several faults apply, the first in the list wins. */
export function drawFate(faults: Faults, random: () => number = Math.random): Fate {
  const draw = (mishaps: readonly (readonly [Mishap, number])[]): Mishap | undefined =>
    mishaps.find(([, chance]) => random() < chance)?.[0];
  const waitMs = drawLatency(faults.latency, random);
  const waitBeforeMs = waitMs * random();
  const { hang, loseBefore, errorBefore, die, loseAfter, hangAfter, errorAfter } = faults;
  const before = draw([
    ['hang', hang],
    ['lose', loseBefore],
    ['error', errorBefore],
  ]);
  const after = draw([
    ['die', die],
    ['lose', loseAfter],
    ['hang', hangAfter],
    ['error', errorAfter],
  ]);
  return {
    waitBeforeMs,
    ...(before && { before }),
    ...(after && { after }),
    waitAfterMs: waitMs - waitBeforeMs,
    twice: random() < faults.twice,
  };
}

/** Takes a token from the rate limit, or returns the seconds until one is available. */
export function createRateLimit(now: () => number = () => performance.now()): (perSecond: number) => number {
  let [tokens, filledAt] = [Number.POSITIVE_INFINITY, now()];
  return (perSecond) => {
    const at = now();
    if (perSecond === 0) {
      [tokens, filledAt] = [Number.POSITIVE_INFINITY, at];
      return 0;
    }
    tokens = Math.min(perSecond, tokens + ((at - filledAt) / 1_000) * perSecond);
    filledAt = at;
    if (tokens < 1) return Math.ceil((1 - tokens) / perSecond);
    tokens -= 1;
    return 0;
  };
}
