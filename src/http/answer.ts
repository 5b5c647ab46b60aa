// What is told: a status and a JSON text, or no text at all.

export type Answer = { readonly status: number; readonly body: string };
