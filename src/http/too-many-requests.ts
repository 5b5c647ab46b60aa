// Thrown when a merchant has used up its requests of the second.

export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';

  constructor() {
    super('Too many requests a second, or too large ones; the Retry-After header says when to come back.');
  }
}
