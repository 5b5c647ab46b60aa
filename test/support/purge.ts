// Forgets at once what is over, in a test: all steps without pauses, and how many rows of each table went.
export async function purgeNow(
  steps: AsyncIterable<Readonly<Record<string, number>>>,
): Promise<Record<string, number>> {
  const total: Record<string, number> = {};
  for await (const step of steps)
    for (const [table, count] of Object.entries(step)) total[table] = (total[table] ?? 0) + count;
  return total;
}
