// Thrown when a merchant asks for more than its share: of a second's requests, or of reads at once.

export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';
  /** For Retry-After. */
  readonly retryAfterS: number;

  constructor(message: string, retryAfterS = 1) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}
