// Webhooks as they come in: the one that a path names, and what a request says of one.
import type { FastifyRequest } from 'fastify';
import type { EventName } from '../../domain/decision.ts';
import { checkUrl } from '../../merchants/webhooks.ts';
import { merchantOf } from '../../server/asker.ts';
import { BadRequest, problemsOf } from '../../server/problem.ts';
import type { Problem } from '../../server/problem.ts';
import { findWebhook } from '../../store/events/webhooks.ts';
import type { Webhook } from '../../store/events/webhooks.ts';
import type { Store } from '../../store/store.ts';
import { idIn } from '../request.ts';
import { ALL_EVENTS } from '../webhook-presenter.ts';
import { isName, NO_SUCH_EVENT } from './event-input.ts';

export const WEBHOOK_OFF = 'is switched off; switch it on first';

/** The webhook in the path, if it is the merchant's. */
export async function webhookIn(request: FastifyRequest, { pool }: Store): Promise<Webhook | undefined> {
  const id = idIn(request, 'webhookId');
  return id === undefined ? undefined : findWebhook(pool, id, merchantOf(request).id);
}

/** Null: all. The names are known. */
export function readEvents(names: readonly string[]): readonly EventName[] | null {
  return names[0] === ALL_EVENTS ? null : [...new Set(names.filter(isName))];
}
/** What is wrong with the names that are texts; of others the schema tells. */
function findEventProblems(names: readonly unknown[]): Problem[] {
  if (names.length === 0)
    return [{ field: 'events', text: 'must name at least one event; leave it out, or give ["*"], for all' }];
  if (names.length === 1 && names[0] === ALL_EVENTS) return [];
  return names.flatMap((name, index) => {
    if (typeof name !== 'string' || isName(name)) return [];
    const text = name === ALL_EVENTS ? 'must stand alone: it means all events' : NO_SUCH_EVENT;
    return [{ field: `events[${index}]`, text }];
  });
}
/** Refuses a webhook with all that is wrong with it: by its schema, its address, and the names of events. */
export function requireGood(request: FastifyRequest, reach: { readonly privateHooks: boolean }): void {
  const { validation } = request.validationError ?? {};
  const problems = problemsOf(validation ?? []);
  const told = new Set(problems.map(({ field }) => field));
  const { url, events } = request.body as { readonly url?: unknown; readonly events?: unknown };
  const badUrl = typeof url === 'string' && !told.has('url') && checkUrl(url, merchantOf(request), reach);
  const named = Array.isArray(events) && !told.has('events') ? findEventProblems(events) : [];
  const all = [
    ...problems,
    ...(badUrl ? [{ field: 'url', text: badUrl.why }] : []),
    ...named.filter(({ field }) => !told.has(field)),
  ];
  if (all.length > 0) throw new BadRequest(all);
}
