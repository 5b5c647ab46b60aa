// Shows the request of an event to a webhook: headers and body, rebuilt from the current payment since they are not
// stored. The signature is only a placeholder.
import { bodyOf } from '../../events/body.ts';
import { COMMON_HEADERS } from '../../events/attempt.ts';
import { html } from '../../pages/html.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Delivery } from '../../store/events/deliveries.ts';
import type { StoredEvent } from '../../store/events/events.ts';
import type { Webhook } from '../../store/events/webhooks.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderBody } from '../requests/request-page.ts';
import { consoleTexts } from '../texts.ts';

// What a page shows of a body; those of most events are a tenth of it.
const MOST_SHOWN = 65_536;
const METHOD = 'POST';

export type Sent = {
  readonly webhook: Webhook;
  readonly event: StoredEvent;
  readonly delivery: Delivery;
  /** Undefined for an event that is of none. */
  readonly payment: Payment | undefined;
  /** Where shops reach this Kassa. */
  readonly shopUrl: string;
};

export function renderSent(place: Place, { webhook, event, delivery, payment, shopUrl }: Sent): string {
  const { language } = place.member;
  const texts = consoleTexts(language).webhooks;
  const whole = JSON.stringify(bodyOf(event, payment, shopUrl));
  const body = { text: whole.slice(0, MOST_SHOWN), bytes: Buffer.byteLength(whole), isCut: whole.length > MOST_SHOWN };
  const lastTry = delivery.attempts.at(-1);
  const headers = {
    ...COMMON_HEADERS,
    'webhook-id': event.id,
    'webhook-timestamp': lastTry ? Math.floor(Date.parse(lastTry.at) / 1_000) : `(${texts.notTriedTime})`,
    'webhook-signature': `v1,(${texts.signedAs})`,
  };
  const lines = [`${METHOD} ${webhook.url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const at = `${homeOf(place)}/webhooks`;
  const main = html`<p class="crumb">
      <a href="${at}">${consoleTexts(language).frame.pages.webhooks}</a> ›
      <a href="${at}/${webhook.id}">${webhook.url}</a>
    </p>
    <h1>${texts.request}: <code>${event.name}</code></h1>
    <section class="panel logged-body" aria-label="${texts.request}">
      <pre tabindex="0" aria-label="${texts.request}"><code>${lines.join('\n')}</code></pre>
      <p class="hint">${texts.requestText}</p>
    </section>
    ${renderBody('body', texts.body, body, language)}`;
  return renderFrame(place, { title: `${texts.request}: ${event.name}`, name: 'webhooks', main });
}
