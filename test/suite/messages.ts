// What the runner and its workers say to each other.

export type Failure = {
  readonly name: string;
  readonly line: number | undefined;
  readonly text: string;
};

/** How one file went. */
export type FileResult = {
  readonly file: string;
  readonly tookMs: number;
  /** Of the worker and of all processes that the file started, the browser too; not of the Postgres that files share. */
  readonly processorMs: number;
  readonly tests: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** Its tests that took longest, in their order. */
  readonly slow: readonly { readonly name: string; readonly ms: number }[];
  /** Kassas started, in the worker or as processes, and contexts of the browser opened. */
  readonly starts: number;
  readonly contexts: number;
  /** What a file that failed wrote. */
  readonly output?: string;
};

export type ToWorker = { readonly file: string };

export type FromWorker = { readonly result: FileResult } | { readonly underWay: readonly string[] };
