// How the values of a panel are written, and where the lines of its scale are.

type Scale = readonly (readonly [least: number, suffix: string])[];

const TIMES: Scale = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'min'],
  [1, 's'],
  [0.001, 'ms'],
  [0.000_001, 'µs'],
];
const BYTES: Scale = [
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
  [1, 'B'],
];

const short = (value: number): string => String(Number(value.toPrecision(3)));

function scaled(value: number, scale: Scale): string {
  if (value === 0) return `0 ${scale.find(([least]) => least === 1)?.[1]}`;
  const smallest = scale.at(-1) as readonly [number, string];
  const [least, suffix] = scale.find(([from]) => Math.abs(value) >= from) ?? smallest;
  return `${short(value / least)} ${suffix}`;
}

export function write(value: number, unit: string): string {
  if (unit === 's') return scaled(value, TIMES);
  if (unit === 'bytes') return scaled(value, BYTES);
  if (unit === 'percentunit') return `${short(value * 100)} %`;
  return unit === 'reqps' ? `${short(value)} req/s` : short(value);
}

/** From 0 to at least the highest, in steps that people count in. */
export function ticksTo(highest: number, unit: string): readonly number[] {
  const top = highest > 0 ? highest : 1;
  const base = unit === 'bytes' ? 2 ** (10 * Math.floor(Math.log2(top) / 10)) : 1;
  const rough = top / base / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((times) => times * power >= rough) as number) * power * base;
  const count = Math.ceil(top / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, n) => n * step);
}
