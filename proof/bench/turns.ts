// Sides that are compared take turns, in slices of a few seconds, and the slices are added up. A machine that slows down or
// is busy for a while does so for all of them, and the ratio stays what it is.
import { addMeasures, rateOf } from './measure.ts';
import type { Measure } from './measure.ts';
import type { Run, Side } from './side.ts';

export type Named = { readonly who: string; readonly side: Side };

// Long enough that the cold start of a floor's connections does not matter, short enough to take turns.
const SLICE_S = 2.5;
const FEWEST_ROUNDS = 2;

/** What each came to, in their order. */
export async function measureInTurns(
  { seconds, onProgress }: Pick<Run, 'seconds' | 'onProgress'>,
  name: string,
  sides: readonly Named[],
  onPrepared: () => void = () => {},
): Promise<Measure[]> {
  const measures = new Map<Named, Measure[]>(sides.map((side) => [side, []]));
  onProgress(`${name}: preparing`);
  for (const { side } of sides) await side.prepare();
  onPrepared();
  const rounds = Math.max(FEWEST_ROUNDS, Math.round(seconds / SLICE_S));
  for (let round = 0; round < rounds; round += 1) {
    // Whoever was first is last in the next round: what one leaves behind for the other evens out.
    for (const each of round % 2 === 0 ? sides : sides.toReversed()) {
      const measure = await each.side.slice(seconds / rounds);
      measures.get(each)?.push(measure);
      onProgress(`${name} ${round + 1}/${rounds}, ${each.who}: ${Math.round(rateOf(measure))} a second`);
    }
  }
  return sides.map((side) => addMeasures(measures.get(side) ?? []));
}
