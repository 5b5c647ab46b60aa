// Webhooks in requests: the one in the path, and the fields of a body.
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

/** Null means all. The names are validated already. */
export function readEvents(names: readonly string[]): readonly EventName[] | null {
  return names[0] === ALL_EVENTS ? null : [...new Set(names.filter(isName))];
}
/** Problems of names that are strings; the schema reports the others. */
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
/** Refuses a webhook with everything that is wrong with it: its schema, its URL, and its event names. */
export function requireGood(request: FastifyRequest, reach: { readonly privateHooks: boolean }): void {
  const { validation } = request.validationError ?? {};
  const problems = problemsOf(validation ?? []);
  const reported = new Set(problems.map(({ field }) => field));
  const { url, events } = request.body as { readonly url?: unknown; readonly events?: unknown };
  const badUrl = typeof url === 'string' && !reported.has('url') && checkUrl(url, merchantOf(request), reach);
  const named = Array.isArray(events) && !reported.has('events') ? findEventProblems(events) : [];
  const all = [
    ...problems,
    ...(badUrl ? [{ field: 'url', text: badUrl.why }] : []),
    ...named.filter(({ field }) => !reported.has(field)),
  ];
  if (all.length > 0) throw new BadRequest(all);
}
