// Charges at an acquirer on another machine: what the two-phase path costs beside the simulator in the process, and what
// one merchant notices when the acquirer of another one hangs.
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import type { Manner } from './acquirer.ts';
import { startHanging } from './hanging-merchant.ts';
import { layIn, stockSide } from './kassa-side.ts';
import type { OnUsage } from './kassa-side.ts';
import { BODIES, PATHS } from './requests.ts';
import { readRows, readTables } from './rows.ts';
import type { RemoteName } from './scenarios.ts';
import type { Run, Side } from './side.ts';
import { sampleOf } from './stock.ts';
import type { Sample } from './stock.ts';

type Remote = { readonly secretKey: string; readonly sample: Sample };

// Requests of the merchant whose acquirer hangs, for one slice: more than can be turned away in it.
const HANGING_STOCK = 4_000;

const portOf = (run: Run, manner: Manner): Promise<number> =>
  run.setup.start(new URL('acquirer.ts', import.meta.url)).ask<number>(manner);

/** A merchant of that acquirer, with its key. */
async function openMerchant({ setup }: Run, name: string, port: number): Promise<string> {
  const { pool } = setup;
  await putAcquirer(pool, { name, url: `http://127.0.0.1:${port}`, key: 'of no meaning' });
  const settings = { name, dialect: 'spec', strictItems: false, reserveOnDemand: false, acquirer: name } as const;
  return (await createKey(pool, await createMerchant(pool, false, settings))).secret;
}

/** A merchant whose acquirer approves, and a payment of theirs that is reserved there. */
async function openRemote(run: Run, name: string, port: number): Promise<Remote> {
  const { pool, service } = run.setup;
  const secretKey = await openMerchant(run, name, port);
  const created = await service.send('POST', PATHS.create[0], BODIES.create, secretKey);
  const { paymentId } = JSON.parse(created) as { paymentId: string };
  const [before, after] = PATHS.reserve;
  await service.send('POST', before + paymentId + after, BODIES.reserve, secretKey);
  return { secretKey, sample: sampleOf(await readRows(pool, await readTables(pool), paymentId)) };
}

export async function remoteSides(
  run: Run,
  name: RemoteName,
  onUsage: OnUsage,
): Promise<{ readonly kassa: Side; readonly floor: Side }> {
  const port = await portOf(run, 'approves');
  const remote = await openRemote(run, name, port);
  const charges = (used: OnUsage): Side => stockSide(run, { operation: 'charge', ...remote }, used);
  const unused = (): void => {};
  if (name === 'bank')
    return {
      kassa: charges(onUsage),
      floor: stockSide(run, { operation: 'charge', sample: run.samples.reserved }, unused),
    };
  return { kassa: await besideHanging(run, charges(onUsage), port), floor: charges(unused) };
}

/** The side while another merchant's acquirer hangs: a new one in each slice, of which the service knows nothing yet. */
async function besideHanging(run: Run, side: Side, approvingPort: number): Promise<Side> {
  const { setup } = run;
  const hangingPort = await portOf(run, 'hangs');
  let slices = 0;
  return {
    prepare: () => side.prepare(),
    slice: async (seconds) => {
      slices += 1;
      const name = `hanging-${slices}`;
      const { secretKey, sample } = await openRemote(run, `${name}-before`, approvingPort);
      const ids = await layIn(run, renamed(sample, `${name}-before`, name), 0, HANGING_STOCK);
      await putAcquirer(setup.pool, { name, url: `http://127.0.0.1:${hangingPort}`, key: 'of no meaning' });
      const hanging = await startHanging(setup.service.port, secretKey, ids);
      try {
        return await side.slice(seconds);
      } finally {
        await hanging.stop();
      }
    },
  };
}

/** The same payment, reserved at another acquirer. */
function renamed({ rows, family }: Sample, from: string, to: string): Sample {
  const changed = [...rows].map(
    ([table, found]) =>
      [table, found.map((row) => (row['acquirer'] === from ? { ...row, acquirer: to } : row))] as const,
  );
  return { rows: new Map(changed), family };
}
