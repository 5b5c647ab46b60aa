// A merchant whose acquirer hangs, with twice as many requests as the service lets wait for one: half of them wait, the
// others are told to come again in a second, and do.
import { setTimeout as sleep } from 'node:timers/promises';
import { BODIES, PATHS } from './requests.ts';

const AT_ONCE = 256;
// Until those who wait are waiting.
const SETTLE_MS = 500;
const RETRY_MS = 1_000;
// The outcome is not known, or nothing was done.
const EXPECTED: ReadonlySet<number> = new Set([500, 503]);

export type Hanging = { stop(): Promise<void> };

export async function startHanging(port: number, secretKey: string, paymentIds: readonly string[]): Promise<Hanging> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const left = [...paymentIds];
  const send = async (paymentId: string): Promise<void> => {
    const [before, after] = PATHS.charge;
    const response = await fetch(`http://127.0.0.1:${port}${before}${paymentId}${after}`, {
      method: 'POST',
      headers: { authorization: secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(BODIES.charge),
      signal,
    });
    const text = await response.text();
    if (!EXPECTED.has(response.status)) throw new Error(`expected to wait, found: ${response.status} ${text}`);
  };
  const wait = async (): Promise<void> => {
    for (let paymentId = left.pop(); paymentId !== undefined && !signal.aborted; paymentId = left.pop()) {
      await send(paymentId);
      await sleep(RETRY_MS, undefined, { signal });
    }
  };
  const waiting = Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      wait().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
    ),
  );
  waiting.catch(() => {});
  await sleep(SETTLE_MS);
  return {
    stop: async () => {
      stopping.abort();
      await waiting;
    },
  };
}
