// What a call of the API is made of: what the caller may choose, and what the client knows of an operation.

/** What may be chosen for one call; what is left out is as the client was made. */
export type CallOptions = {
  /** Ends the call, and whatever it waits for. */
  readonly signal?: AbortSignal | undefined;
  /** Sent beside the client's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How often it may be tried again. */
  readonly retries?: number | undefined;
  /** How long one try may take. */
  readonly timeoutMs?: number | undefined;
};

export type KeyedOptions = CallOptions & {
  /** By which the service knows a repetition. Made where none is given; give your own to repeat a call later. */
  readonly idempotencyKey?: string | undefined;
};

/** The first page, when it is awaited; every item of every page, when it is looped over. */
export type Pages<Page, Item> = Promise<Page> & AsyncIterable<Item>;

/** How the next page is asked for: by a cursor, by how many were seen, or by its number. */
export type PageRule =
  | readonly ['cursor', items: string, parameter: string]
  | readonly ['more', items: string]
  | readonly ['number', items: string, total: string];

export type Row = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  takes: 'body' | 'query' | '',
  isKeyed: 0 | 1,
  pages?: PageRule,
];
