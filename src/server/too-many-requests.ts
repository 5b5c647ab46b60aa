// Thrown when a merchant asks for more than its share: of a second's requests, or of reads at once.

export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';
}
