// How a moment is written wherever it leaves the program: ISO 8601, UTC, milliseconds, Z.

export const isoTime = (ms: number): string => new Date(ms).toISOString();
