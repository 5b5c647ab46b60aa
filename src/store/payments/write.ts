// Acknowledged writes other than payments: a bulk, a refusal kept under its key. They wait for a synchronous standby
// like commits, on a connection of their own, one at a time with merchants in turn, so that a large one delays no
// commit.
import { leavesUnknown } from './commit.ts';
import { Group } from '../connections/group.ts';
import type { GroupOptions } from '../connections/group.ts';
import { OutcomeUnknown, WaitsForStandby } from '../connections/pool.ts';
import type { Pool, Statement, TextRow } from '../connections/pool.ts';

export type Written = {
  readonly merchantId: number;
  readonly statement: Statement;
  readonly values: readonly (string | number | null)[];
};

/** Returns the rows; the error says whether it may have been written. */
export type Write = (written: Written) => Promise<readonly TextRow[]>;

const sizeOf = ({ values }: Written): number =>
  values.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

export function openWriter(pool: Pool, waiting: GroupOptions<Written, unknown>['waiting']): Write {
  const run = async ({ statement, values }: Written): Promise<readonly TextRow[]> => {
    try {
      return await pool.run(statement, values);
    } catch (error) {
      const isUnknown = error instanceof WaitsForStandby || leavesUnknown(error);
      throw isUnknown ? new OutcomeUnknown('the outcome of a write is not known', { cause: error }) : error;
    }
  };
  const writes = new Group<Written, readonly TextRow[]>({
    concurrency: 1,
    size: { count: 1 },
    waiting,
    tenantOf: ({ merchantId }) => merchantId,
    run: async (group) => Promise.all(group.map(run)),
  });
  return async (written) => writes.add(written, sizeOf(written));
}
