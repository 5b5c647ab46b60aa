/** The answer in an idempotency record, returned byte for byte. Only its author interprets it. */
export type RecordedAnswer = { readonly status: number; readonly text: string };
