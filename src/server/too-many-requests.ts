// Thrown when a merchant exceeds its share of requests per second, or of concurrent reads.

export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';
  /** For Retry-After. */
  readonly retryAfterS: number;

  constructor(message: string, retryAfterS = 1) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}
