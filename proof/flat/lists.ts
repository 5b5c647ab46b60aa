// What each list costs with few payments and with many: the median of its times, and the rows that its plans come upon.
import type { Telling } from './filled.ts';
import { READINGS, rowsOf } from './readings.ts';
import type { Shop } from './readings.ts';

export type ListRow = { readonly name: string; readonly fewMs: number; readonly manyMs: number; readonly rows: number };

async function median(read: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = [];
  await read();
  for (let round = 0; round < rounds; round += 1) {
    const beganAt = performance.now();
    await read();
    times.push(performance.now() - beganAt);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] as number;
}

export async function compareReadings(
  few: Shop,
  many: Shop,
  rounds: number,
  { signal, onProgress }: Telling,
): Promise<ListRow[]> {
  const rows: ListRow[] = [];
  for (const reading of READINGS) {
    const [name, read] = reading;
    signal.throwIfAborted();
    onProgress(`lists: ${name}`);
    const fewMs = await median(() => read(few, few.pool), rounds);
    const manyMs = await median(() => read(many, many.pool), rounds);
    rows.push({ name, fewMs, manyMs, rows: Math.ceil(await rowsOf(many, reading)) });
  }
  return rows;
}
