// Thrown when a merchant exceeds its share of requests per second, or of concurrent reads.

export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';
}
