// What the load client is told to do, and what it tells back: the messages between the bench and that process.

/** One request of a life: its text around the id that it names, what must come back, and the id to take from it. */
export type Step = {
  readonly before: string;
  readonly after: string;
  readonly names: 'nothing' | 'payment' | 'charge';
  readonly status: number;
  readonly gives?: 'payment' | 'charge';
};

export type Work =
  | {
      readonly kind: 'each';
      /** The request's text around an id. */
      readonly before: string;
      readonly after: string;
      readonly status: number;
      readonly ids: readonly string[];
      /** Each id once, then the slice is over; otherwise round and round. */
      readonly once: boolean;
    }
  /** Lives of payments: every connection goes through the steps of one life after another. */
  | { readonly kind: 'lives'; readonly lives: readonly (readonly Step[])[] };

export type Plan = {
  readonly port: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly work: Work;
};

export type Done = {
  readonly kind: 'done';
  /** Answered within the measured time. */
  readonly requests: number;
  readonly seconds: number;
  readonly counts: Uint32Array;
  /** All that were answered, the warm-up included. */
  readonly total: number;
};

export type Failed = { readonly kind: 'failed'; readonly message: string };

const HOST = '127.0.0.1';

/** The text of a request on a connection that stays open; an id stands where the path is split. */
export function requestText(
  method: 'GET' | 'POST',
  path: readonly [before: string, after: string],
  secretKey: string,
  body?: object,
): { before: string; after: string } {
  const json = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${path[1]} HTTP/1.1`,
    `host: ${HOST}`,
    `authorization: ${secretKey}`,
    'accept: application/json',
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(json)}`]),
  ];
  return { before: `${method} ${path[0]}`, after: `${head.join('\r\n')}\r\n\r\n${json}` };
}
