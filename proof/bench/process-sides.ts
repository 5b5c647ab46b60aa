// Two processes on one port against one: the same requests, on the same database, in turns.
import { kassaSide } from './kassa-side.ts';
import type { OnUsage } from './kassa-side.ts';
import type { Run, Side } from './side.ts';

const PROCESSES = '2';

/** The service of several begins when it is first needed, and ends with all the others. */
export async function processSides(
  run: Run,
  onUsage: OnUsage,
): Promise<{ readonly kassa: Side; readonly floor: Side }> {
  const service = await run.setup.startAnother({ KASSA_PROCESSES: PROCESSES });
  const several: Run = { ...run, setup: { ...run.setup, service } };
  return { kassa: kassaSide(several, 'create', onUsage), floor: kassaSide(run, 'create', () => {}) };
}
