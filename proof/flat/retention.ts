// How quickly events that are over are forgotten: step after step without the pauses of the service, for some seconds.
import { purgeEvents } from '../../src/store/purge/events.ts';
import type { Filled, Telling } from './filled.ts';

export type Forgotten = { readonly payments: number; readonly rows: number; readonly seconds: number };

// Half of what is there, and for so long: of many it takes a small part away.
const KEPT_MS = 30 * 86_400_000;
const SECONDS = 10;

export async function forget({ shop, payments }: Filled, { signal, onProgress }: Telling): Promise<Forgotten> {
  onProgress(`retention: forgetting events of ${payments} payments`);
  const beganAt = performance.now();
  const secondsNow = (): number => (performance.now() - beganAt) / 1_000;
  let rows = 0;
  for await (const step of purgeEvents(shop.pool, 'events', KEPT_MS)) {
    rows += step.events;
    signal.throwIfAborted();
    if (secondsNow() > SECONDS) break;
  }
  return { payments, rows, seconds: secondsNow() };
}
