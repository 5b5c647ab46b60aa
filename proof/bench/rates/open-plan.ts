// What the open-loop client is told to do, and what it tells back: the messages between the bench and that process.

export type OpenPlan = {
  readonly port: number;
  /** Requests that are due in a second, evenly. */
  readonly rate: number;
  /** As many as may be under way at once; whatever is due beyond that waits here, and its time runs. */
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** The request's text around an id, and the status of one that was done. */
  readonly before: string;
  readonly after: string;
  readonly status: number;
  /** One for each request, in turn. */
  readonly ids: readonly string[];
};

/** Of the requests that were due in the measured time. */
export type OpenDone = {
  readonly kind: 'done';
  readonly due: number;
  readonly seconds: number;
  /** Answered as expected: how many, and how long after they were due. */
  readonly done: number;
  /** Answered as expected within the measured time, whenever they were due. */
  readonly doneInTime: number;
  readonly doneCounts: Uint32Array;
  /** Answered 503: how many, how long after they were sent, and how many of them without a Retry-After. */
  readonly refused: number;
  readonly refusedCounts: Uint32Array;
  readonly withoutRetryAfter: number;
  /** Neither: another status, a connection that broke, no answer at all. */
  readonly failed: number;
  readonly failure: string | undefined;
  /** The most that were under way at once. */
  readonly underWay: number;
};

export type OpenFailed = { readonly kind: 'failed'; readonly message: string };
