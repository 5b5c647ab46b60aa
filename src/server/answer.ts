// A response: a status and a JSON text, or no text at all.
import type { Problem } from './problem.ts';

export type Answer = { readonly status: number; readonly body: string };

export const answerWith = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });

export const NO_CONTENT: Answer = { status: 204, body: '' };
export const NOT_FOUND: Answer = { status: 404, body: '' };

/** The code of failures that need none. */
export const NO_CODE = '1000';

/** An error for people and programs: a text, one of the codes 1000 to 1032, and its source. */
export const failure = (status: number, code: string, message: string, source = 'internal'): Answer =>
  answerWith(status, { message, code, source });

/** The errors object of a 400: texts by field. */
export function errorsOf(problems: readonly Problem[]): Answer {
  // Without a prototype, since a field may be called constructor.
  const errors = Object.create(null) as Record<string, string[]>;
  for (const { field, text } of problems) (errors[field] ??= []).push(text);
  return answerWith(400, { errors });
}
