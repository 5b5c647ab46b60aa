// Reads the fields of console forms.
import type { FastifyRequest } from 'fastify';

const LONGEST_TEXT = 2_048;

/** The text of a field; empty if it is missing or too long. */
export function fieldOf({ body }: FastifyRequest, name: string): string {
  const value = (body as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return typeof value === 'string' && value.length <= LONGEST_TEXT ? value : '';
}

/** The fields of a form that was sent, as texts. */
export function fieldsOf({ body }: FastifyRequest): Readonly<Record<string, string>> {
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(entries.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
