/** What an idempotency record keeps to be given again, byte for byte. Nobody reads it but who made it. */
export type RecordedAnswer = { readonly status: number; readonly text: string };
