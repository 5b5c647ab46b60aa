// Thrown when a merchant asks for more than its share: of a second's requests, or of reads at once.

export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';

  constructor(text = 'Too many requests a second, or too large ones; the Retry-After header says when to come back.') {
    super(text);
  }
}
