// Runs a scenario: Kassa and its floor in turns.
import { bareSide, isBare } from './bare-side.ts';
import { floorSide } from './floor-side.ts';
import type { BareUsage } from './floor-side.ts';
import { kassaSide } from './kassa-side.ts';
import { addUsages } from './measure.ts';
import type { Measure, Usage } from './measure.ts';
import { processSides } from './process-sides.ts';
import { remoteSides } from './remote-sides.ts';
import { isRemote } from './scenarios.ts';
import type { ScenarioName } from './scenarios.ts';
import type { Run, Side } from './side.ts';
import { measureInTurns } from './turns.ts';
import type { Named } from './turns.ts';

export type Result = {
  readonly name: ScenarioName;
  readonly kassa: Measure;
  readonly usage: Usage;
  readonly floor: Measure | undefined;
  /** Processor time of the bare route for a request, in µs, where it was measured. */
  readonly bareRouteUs: number | undefined;
  /** Of writes: bare routes that load and commit in groups. */
  readonly bare: Measure | undefined;
};

function usPerRequest(usages: readonly BareUsage[]): number | undefined {
  const requests = usages.reduce((sum, usage) => sum + usage.requests, 0);
  return requests === 0 ? undefined : (usages.reduce((sum, usage) => sum + usage.cpuSeconds, 0) * 1e6) / requests;
}

export async function runScenario(run: Run, name: ScenarioName): Promise<Result> {
  const usages: Usage[] = [];
  const bareUsages: BareUsage[] = [];
  const onUsage = (usage: Usage): void => void usages.push(usage);
  const { kassa, floor } = isRemote(name)
    ? await remoteSides(run, name, onUsage)
    : name === 'processes'
      ? await processSides(run, onUsage)
      : { kassa: kassaSide(run, name, onUsage), floor: floorSide(run, name, (usage) => void bareUsages.push(usage)) };
  const bare = isBare(name) ? await bareSide(run, name) : undefined;
  const sides: Named[] = [{ who: 'Kassa', side: kassa }];
  if (floor !== undefined) sides.push({ who: 'floor', side: floor });
  if (bare !== undefined) sides.push({ who: 'bare service', side: bare });
  // What was used to prepare does not count.
  const measures = await measureInTurns(run, name, sides, () => {
    usages.length = 0;
    bareUsages.length = 0;
  });
  const measureOf = (side: Side | undefined): Measure | undefined =>
    measures[sides.findIndex((each) => each.side === side)];
  return {
    name,
    kassa: measureOf(kassa) as Measure,
    usage: addUsages(usages),
    floor: measureOf(floor),
    bareRouteUs: usPerRequest(bareUsages),
    bare: measureOf(bare),
  };
}
