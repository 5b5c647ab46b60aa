// Runs a scenario: Kassa and its floor in turns.
import { floorSide } from './floor-side.ts';
import { kassaSide } from './kassa-side.ts';
import { addUsages } from './measure.ts';
import type { Measure, Usage } from './measure.ts';
import { processSides } from './process-sides.ts';
import { remoteSides } from './remote-sides.ts';
import { isRemote } from './scenarios.ts';
import type { ScenarioName } from './scenarios.ts';
import type { Run } from './side.ts';
import { measureInTurns } from './turns.ts';

export type Result = {
  readonly name: ScenarioName;
  readonly kassa: Measure;
  readonly usage: Usage;
  readonly floor: Measure | undefined;
};

export async function runScenario(run: Run, name: ScenarioName): Promise<Result> {
  const usages: Usage[] = [];
  const onUsage = (usage: Usage): void => void usages.push(usage);
  const { kassa, floor } = isRemote(name)
    ? await remoteSides(run, name, onUsage)
    : name === 'processes'
      ? await processSides(run, onUsage)
      : { kassa: kassaSide(run, name, onUsage), floor: floorSide(run, name) };
  const sides = [{ who: 'Kassa', side: kassa }, ...(floor === undefined ? [] : [{ who: 'floor', side: floor }])];
  // What was used to prepare does not count.
  const [measure, floorMeasure] = await measureInTurns(run, name, sides, () => usages.splice(0));
  return { name, kassa: measure as Measure, usage: addUsages(usages), floor: floorMeasure };
}
