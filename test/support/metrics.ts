// The figures of a service as they are now. A page of them is made at most once a second and shared, so one waits for the
// next: two pages always differ, if only in the processor time that was used. Who asks too often is told to wait.
import type { Client } from './client.ts';
import { until } from './kassa.ts';

export async function readMetrics(client: Client): Promise<string> {
  const readPage = async (): Promise<string | false> => {
    const { status, text } = await client.get('/metrics');
    return status === 200 && text;
  };
  const before = await until('a page of figures', readPage);
  return until('the next page of figures', async () => {
    const page = await readPage();
    return page !== before && page;
  });
}
