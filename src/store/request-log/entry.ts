// A request to the API as it is kept for the merchant's developers: what was asked and answered, without anything secret or
// personal. Whoever makes one has masked it.

export type LoggedRequest = {
  /** In the merchant's home part; says when it began, by the clock of the process. */
  readonly id: string;
  readonly merchantId: number;
  readonly requestId: string;
  readonly method: string;
  /** As the API describes it, such as /v1/payments/:paymentId. */
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly keyId: string;
  readonly address: string;
  readonly idempotencyKey?: string;
  /** The answer was that of an earlier request with the key. */
  readonly isReplayed: boolean;
  readonly userAgent?: string;
  readonly contentType?: string;
  readonly paymentId?: string;
  /** A charge or refund that the path names: whose payment it is, is looked up when it is written. */
  readonly movementId?: string;
  readonly request: LoggedBody;
  readonly answer: LoggedBody;
};

export type LoggedBody = {
  /** Undefined where there was none, or none that could be kept. */
  readonly text?: string;
  /** How large it was. */
  readonly bytes: number;
  readonly isCut: boolean;
};
