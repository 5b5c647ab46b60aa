// What Node is told where Kassa starts it itself. A young generation that may grow to 64 MiB is collected in pauses of tens
// of milliseconds while large orders are in flight, and every other merchant waits for them; a small one in short ones.
// docs/internals/performance.md has the figures. Who sets a size in NODE_OPTIONS knows better.
const YOUNG_GENERATION = '--max-semi-space-size';

export const NODE_FLAGS = process.env.NODE_OPTIONS?.includes(YOUNG_GENERATION) ? [] : [`${YOUNG_GENERATION}=2`];
