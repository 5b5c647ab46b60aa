// The scale beside bars: round amounts, few enough to read, from below zero to the highest.

// So many steps at most: more would stand upon each other on a phone.
const MOST_STEPS = 5;

/** 1, 2 or 5 and zeros, whatever the decimals of the currency: they are tens of minor units, too. */
function stepOf(range: number): number {
  const least = Math.max(1, range / MOST_STEPS);
  const ten = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5].find((each) => each * ten >= least) ?? 10;
  return step * ten;
}

/** From the lowest to the highest, 0 among them. `lowest` is how far it goes below 0. */
export function ticksOf(highest: number, lowest: number): number[] {
  const step = stepOf(highest + lowest);
  const [first, last] = [-Math.floor(lowest / step), Math.floor(highest / step)];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step || 0);
}
