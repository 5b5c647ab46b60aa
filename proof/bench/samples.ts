// Samples: two payments that Kassa itself takes through their lives, read back from its database after every step. What
// a step added is what the floor of that step writes, and the state before it is what a stock is copied from.
import { BODIES, PATHS } from './requests.ts';
import { familyOf, readRows, readTables, writesBetween } from './rows.ts';
import type { Rows, Write } from './rows.ts';
import { sampleOf } from './stock.ts';
import type { Sample } from './stock.ts';
import type { BenchSetup } from './setup.ts';

export type Samples = {
  readonly reserved: Sample;
  readonly charged: Sample;
  /** What each operation writes, and the ids that stand in it. */
  readonly writes: Readonly<Record<'create' | 'charge' | 'refund' | 'cancel', Written>>;
  /** The answer to a read of a charged payment. */
  readonly text: string;
};

export type Written = { readonly writes: readonly Write[]; readonly family: readonly string[] };

const written = (before: Rows | undefined, after: Rows): Written => ({
  writes: writesBetween(before, after),
  family: familyOf(after),
});

export async function takeSamples({ service, pool }: BenchSetup): Promise<Samples> {
  const tables = await readTables(pool);
  const send = async (operation: 'create' | 'reserve' | 'charge' | 'refund' | 'cancel', id: string) => {
    const [before, after] = PATHS[operation];
    const text = await service.send('POST', before + id + after, BODIES[operation]);
    return text === '' ? '' : (Object.values(JSON.parse(text) as object)[0] as string);
  };
  const first = await send('create', '');
  const created = await readRows(pool, tables, first);
  await send('reserve', first);
  const reserved = await readRows(pool, tables, first);
  const chargeId = await send('charge', first);
  const charged = await readRows(pool, tables, first);
  const text = await service.send('GET', PATHS.read[0] + first);
  await send('refund', chargeId);
  const refunded = await readRows(pool, tables, first);

  const second = await send('create', '');
  await send('reserve', second);
  const uncancelled = await readRows(pool, tables, second);
  await send('cancel', second);
  const cancelled = await readRows(pool, tables, second);
  return {
    reserved: sampleOf(reserved),
    charged: sampleOf(charged),
    writes: {
      create: written(undefined, created),
      charge: written(reserved, charged),
      refund: written(charged, refunded),
      cancel: written(uncancelled, cancelled),
    },
    text,
  };
}
