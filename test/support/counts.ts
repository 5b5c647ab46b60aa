// How many Kassas a test file has started and how many contexts it has opened in the browser: what a run costs most for.

const counts = { starts: 0, contexts: 0 };

export const countStart = (): void => void (counts.starts += 1);
export const countContext = (): void => void (counts.contexts += 1);

/** Since the last time it was asked. */
export function takeCounts(): { starts: number; contexts: number } {
  const taken = { ...counts };
  Object.assign(counts, { starts: 0, contexts: 0 });
  return taken;
}
