// Runs a scenario: Kassa and its floor in turns, in slices of a few seconds, and adds the slices up. A machine that
// slows down or is busy for a while does so for both, and the ratio stays what it is.
import { floorSide } from './floor-side.ts';
import { kassaSide } from './kassa-side.ts';
import { addMeasures, addUsages, rateOf } from './measure.ts';
import type { Measure, Usage } from './measure.ts';
import { processSides } from './process-sides.ts';
import { remoteSides } from './remote-sides.ts';
import { isRemote } from './scenarios.ts';
import type { ScenarioName } from './scenarios.ts';
import type { Run, Side } from './side.ts';

export type Result = {
  readonly name: ScenarioName;
  readonly kassa: Measure;
  readonly usage: Usage;
  readonly floor: Measure | undefined;
};

// Long enough that the cold start of a floor's connections does not matter, short enough to take turns.
const SLICE_S = 2.5;
const FEWEST_ROUNDS = 2;

export async function runScenario(run: Run, name: ScenarioName): Promise<Result> {
  const usages: Usage[] = [];
  const onUsage = (usage: Usage): void => void usages.push(usage);
  const { kassa, floor } = isRemote(name)
    ? await remoteSides(run, name, onUsage)
    : name === 'processes'
      ? await processSides(run, onUsage)
      : { kassa: kassaSide(run, name, onUsage), floor: floorSide(run, name) };
  const sides = floor === undefined ? [kassa] : [floor, kassa];
  const measures = new Map<Side | undefined, Measure[]>(sides.map((side) => [side, []]));
  run.onProgress(`${name}: preparing`);
  for (const side of sides) await side.prepare();
  usages.length = 0;
  const rounds = Math.max(FEWEST_ROUNDS, Math.round(run.seconds / SLICE_S));
  for (let round = 0; round < rounds; round += 1) {
    // Whoever was first is second in the next round: what one leaves behind for the other evens out.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const measure = await side.slice(run.seconds / rounds);
      measures.get(side)?.push(measure);
      const who = side === kassa ? 'Kassa' : 'floor';
      run.onProgress(`${name} ${round + 1}/${rounds}, ${who}: ${Math.round(rateOf(measure))} a second`);
    }
  }
  return {
    name,
    kassa: addMeasures(measures.get(kassa) ?? []),
    usage: addUsages(usages),
    floor: floor && addMeasures(measures.get(floor) ?? []),
  };
}
