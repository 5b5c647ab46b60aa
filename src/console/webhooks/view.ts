// What the page of one webhook shows, and what acts on it are given.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Right } from '../../domain/role.ts';
import type { Language } from '../../pages/language.ts';
import type { Delivery } from '../../store/events/deliveries.ts';
import type { Redelivery } from '../../store/events/redeliveries.ts';
import type { Webhook } from '../../store/events/webhooks.ts';
import type { Place } from '../page/frame.ts';
import type { pageFor } from '../page-reply.ts';
import type { Notice } from '../page/pieces.ts';
import type { ConsoleTexts } from '../texts.ts';

/** What the form for sending again asks for, as far as it was understood. */
export type Period = {
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly onlyFailed: boolean;
};

export type WebhookView = {
  readonly webhook: Webhook;
  readonly deliveries: readonly Delivery[];
  readonly state: Delivery['state'] | undefined;
  /** Where the next page begins; undefined on the last one. */
  readonly next?: number;
  readonly redeliveries: readonly Redelivery[];
  readonly notice?: Notice;
  /** The period that was typed and could not be taken. */
  readonly typed?: Period;
  /** The address and the events, likewise. */
  readonly typedChange?: { readonly url: string; readonly events: Webhook['events'] };
};

/** A webhook's page, and in whose language it is. */
export type At = {
  readonly at: string;
  readonly home: string;
  readonly language: Language;
  readonly texts: ConsoleTexts['webhooks'];
};

/** `query`: what the page is asked with. */
export type ShowWebhook = (
  place: Place,
  webhook: Webhook,
  shown?: Pick<WebhookView, 'notice' | 'typed' | 'typedChange'> & { readonly query?: unknown },
) => Promise<string>;

/** A page with the webhook of the address, of this merchant alone, for those who have the right to it. */
export type WebhookPage = (right: Right, act: WebhookAct) => ReturnType<typeof pageFor>;

export type WebhookAct = (
  at: { readonly place: Place; readonly webhook: Webhook },
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<string | FastifyReply>;
