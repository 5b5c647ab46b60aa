// The error page for an invalid checkout or subscription address: it explains the problem to the consumer, and what to do.
import { html } from '../../pages/html.ts';
import type { CheckoutTexts, Notice } from '../texts.ts';
import { checkoutTexts } from '../texts.ts';
import type { Fault, FaultView } from '../view.ts';
import { renderDocument } from './document.ts';
import { WARNING_ICON } from './icons.ts';
import { messagePage } from './outcome.ts';

/** Temporary. */
const PASSING: ReadonlySet<Fault> = new Set(['too_many_requests', 'database_away']);

const TEXT_OF_FAULT = {
  wrong_key: 'wrongKey',
  no_such_payment: 'noSuchPayment',
  wrong_address: 'wrongAddress',
  database_away: 'databaseAway',
} as const satisfies Readonly<Partial<Record<Fault, keyof CheckoutTexts['faults']>>>;

function noticeOf({ fault, language }: FaultView): Notice {
  const texts = checkoutTexts(language).subscriptionPage;
  if (fault === 'no_such_subscription') return texts.notFound;
  return fault === 'too_many_requests' ? texts.tooMany : checkoutTexts(language).faults[TEXT_OF_FAULT[fault]];
}

export function renderFault(view: FaultView): string {
  const { faults, script } = checkoutTexts(view.language);
  const notice = noticeOf(view);
  const again = PASSING.has(view.fault)
    ? html`<a class="button" href="${view.self}">${faults.tryAgain}</a>`
    : undefined;
  return renderDocument(view, {
    title: notice.title,
    data: { state: 'fault', fault: view.fault },
    main: html`<main id="main">${messagePage('bad', WARNING_ICON, notice, again)}</main>`,
    json: { texts: script },
    script: view.assets.js,
    hasLanguages: true,
  });
}
