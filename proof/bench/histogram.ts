// Latencies in buckets of a typed array: counting one costs nothing beside the request that it tells of, and slices of
// a scenario can be added up. A bucket is at most 1.6 % wide, so a percentile is right to that.

// Below 2 × SUB a value has a bucket of its own; above, every power of two is cut into SUB buckets.
const SUB = 64;
const SUB_BITS = 6;
const LONGEST_US = 2 ** 26 - 1;
const BUCKETS = (27 - SUB_BITS) * SUB;

export class Histogram {
  readonly counts: Uint32Array;

  constructor(counts: Uint32Array = new Uint32Array(BUCKETS)) {
    this.counts = counts;
  }

  record(microseconds: number): void {
    const value = Math.min(Math.round(microseconds), LONGEST_US);
    const shift = Math.max(0, 31 - Math.clz32(value) - SUB_BITS);
    const bucket = shift * SUB + (value >>> shift);
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
  }

  add(other: Histogram): void {
    other.counts.forEach((count, bucket) => (this.counts[bucket] = (this.counts[bucket] ?? 0) + count));
  }

  /** The latency in milliseconds that the given share (0 to 1) of all requests did not exceed. */
  percentileMs(share: number): number {
    const total = this.counts.reduce((sum, count) => sum + count, 0);
    let seen = 0;
    for (const [bucket, count] of this.counts.entries()) {
      seen += count;
      if (count > 0 && seen >= total * share) return upperEdgeOf(bucket) / 1_000;
    }
    return 0;
  }
}

function upperEdgeOf(bucket: number): number {
  const shift = Math.max(0, Math.floor(bucket / SUB) - 1);
  return (bucket - shift * SUB + 1) * 2 ** shift - 1;
}
