// The figures of a service as they are now. A page of them is made at most once a second and shared, so one waits for the
// next: two pages always differ, if only in the processor time that was used.
import type { Client } from './client.ts';
import { until } from './kassa.ts';

export async function readMetrics(client: Client): Promise<string> {
  const { text: before } = await client.get('/metrics');
  return until('the next page of figures', async () => {
    const { text } = await client.get('/metrics');
    return text !== before && text;
  });
}
