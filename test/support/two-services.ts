// Two services on one database, and a shop with a client at each: what happens at once happens in two processes, that of
// the test and, unless a file asks for less, one of its own.
import { spawnService, startService } from './service.ts';
import type { Service, ServiceOptions } from './service.ts';
import type { Client, Reply } from './client.ts';
import type { MerchantSettings } from '../../src/store/merchants/merchants.ts';

export type TwoServices = {
  readonly first: Service;
  readonly second: Service;
  /** Clients of one merchant, one at each service. */
  openShop(settings?: Partial<MerchantSettings>): Promise<readonly [Client, Client]>;
  stop(): Promise<void>;
};

export async function startTwoServices(
  env: Readonly<Record<string, string>> = {},
  startSecond: (options: ServiceOptions) => Promise<Service> = spawnService,
): Promise<TwoServices> {
  const first = await startService({ env });
  const second = await startSecond({ databaseUrl: first.databaseUrl, env });
  return {
    first,
    second,
    openShop: async (settings) => {
      const { client, secretKey } = await first.openShop(settings);
      return [client, second.client(secretKey)];
    },
    stop: async () => {
      await Promise.all([first.stop(), second.stop()]);
    },
  };
}

/** Sends as many requests at once, in turns to the two. */
export function sendAtOnce(
  clients: readonly [Client, Client],
  count: number,
  send: (client: Client, n: number) => Promise<Reply>,
): Promise<Reply[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => send(clients[n % 2 === 0 ? 0 : 1], n)));
}

/** How often each outcome came: a status, or a status with its code. */
export function countOutcomes(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const outcome = body?.code === undefined ? String(status) : `${status} ${body.code}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
