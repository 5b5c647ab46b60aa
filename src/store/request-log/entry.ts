// A request to the API as kept for the merchant's developers: request and response, without secrets or personal data.
// The caller must mask it.

export type LoggedRequest = {
  /** In the merchant's home part; contains the start time by the clock of the process. */
  readonly id: string;
  readonly merchantId: number;
  readonly requestId: string;
  readonly method: string;
  /** As in the API's documentation, such as /v1/payments/:paymentId. */
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly keyId: string;
  readonly address: string;
  readonly idempotencyKey?: string;
  /** The response was that of an earlier request with the same key. */
  readonly isReplayed: boolean;
  readonly userAgent?: string;
  readonly contentType?: string;
  readonly paymentId?: string;
  /** A charge or refund named in the path; its payment is looked up when the entry is written. */
  readonly movementId?: string;
  readonly request: LoggedBody;
  readonly answer: LoggedBody;
};

export type LoggedBody = {
  /** Undefined if there was none, or none that could be kept. */
  readonly text?: string;
  /** Its size. */
  readonly bytes: number;
  readonly isCut: boolean;
};
