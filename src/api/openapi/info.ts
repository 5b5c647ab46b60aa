// The introduction of the API description: what Kassa is, and what applies to every operation.
import { readFileSync } from 'node:fs';
import type { TagName } from '../operation.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Where readers of openapi.json find the codes; the page has a table of them. */
export const CODES_ARE_LISTED = 'The codes are listed with the schema `Failure`.';

const DESCRIPTION = `Kassa is a payment checkout that you run yourself. Your shop creates a payment, the consumer pays it
on the checkout page, and your shop charges what it ships, refunds what comes back and cancels the rest.

The consumer is sent to the \`hostedPaymentPageUrl\`, or pays inside a page of yours that loads \`/v1/checkout.js\`; in
automatic tests one call of the sandbox plays the consumer. What happens to a payment is told by events.

## Keys

Every operation under \`/v1\` and \`/report/v1\` needs a secret key in the \`Authorization\` header. Keys that begin with
\`test-secret-key-\` belong to a test merchant: no money moves, and every outcome can be had on demand. \`npm start\`
prints one; \`npx kassa key create\` makes more.

## Amounts and times

Amounts are whole numbers in the currency's minor unit: 100000 is 1,000.00 SEK. An amount with items equals the sum of
their \`grossTotalAmount\`, to the last unit. Times are ISO 8601 in UTC with milliseconds.

## The life of a payment

A payment is created, then reserved when the consumer pays. From there its money moves: what is reserved is charged, in
any number of parts, or cancelled; what is charged can be refunded. A payment can be paid for 48 hours and its
reservation charged for 7 days, unless the service sets other times.

## How events arrive

Every change of a payment tells its events in the same commit, and they are kept. They are sent to the hooks that a
payment was created with, and to your webhooks, which hear of all your payments: at least once, signed as
Standard Webhooks says, in order for each payment unless one fails, again for about three days. You can also
list them, or stream them while you develop.

## Errors

- A request that is wrong in itself is 400: \`{"errors": {"order.amount": ["…"]}}\`, texts by field.
- What the payment's state forbids is 402 on a charge and 405 elsewhere: \`{"message", "code", "source"}\`.
  ${CODES_ARE_LISTED}
- 401 and 404 have no body. A wrong method on a known path is 405 with \`Allow\`. Headers over 16 KiB are 431, a request
  that takes over 30 seconds to arrive is 408.
- Every answer has an \`X-Request-Id\`: yours, if you sent a plain one.

## Retries

Send an \`Idempotency-Key\` with create, charge, refund and cancel, and to create a webhook. The same key with the same
body gets the first answer again, marked \`Idempotent-Replayed: true\`; with another body it is 422, and 409 while the
first request still runs.
Other operations ignore it.

## What is forgiven

Unknown fields are ignored, and null is the same as absent. Paths match in any case, with or without a slash at the
end. Any JSON media type is taken, or none.

## Dialects

A merchant has a dialect. \`spec\`, the default, answers with complete shapes, and is what the schemas here describe.
\`nexi\` answers as the existing clients of this API expect:

- sums that are 0 are left out of \`summary\`, and \`charges\`, \`refunds\` when there are none;
- a charge's answer has \`invoice\` only for invoice payments;
- charges and refunds carry a \`surchargeAmount\`, and \`consumer.company\` its \`contactDetails\`;
- a refund over what is left of its charge, or declined, is 402 instead of 400;
- a few texts are the ones that old plugins compare.

It also reads as they write: a text that spells exactly one number or boolean where one is expected, 1 and 0 for a
boolean, a whole number for a text, names of fields in any case.

Where an answer differs, the description holds an example of it as \`x-nexi-examples\`.`;

/** Joins the lines of a paragraph: some Markdown readers keep the breaks. */
const unwrap = (text: string): string => text.replaceAll(/(?<!\n)\n(?! *- |\n)\s*/g, ' ');

export const INFO = {
  title: 'Kassa',
  version,
  summary: 'A payment checkout that a company runs itself',
  description: unwrap(DESCRIPTION),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

export const TAGS: readonly { readonly name: TagName; readonly description: string }[] = [
  { name: 'Payments', description: 'Create a payment, read it, and change it while the consumer has not paid yet.' },
  { name: 'Moving money', description: 'Charge what is reserved, refund what is charged, cancel the rest.' },
  {
    name: 'Subscriptions',
    description: 'Charge a card again that a consumer left for it: one at a time, or many in a bulk.',
  },
  { name: 'Payouts', description: 'Read what you are paid for each day, and what it is made of.' },
  { name: 'Events', description: 'Read what happened, follow it as it happens, and see to whom it was told.' },
  { name: 'Webhooks', description: 'Have events sent to your shop: signed, and again until they are taken.' },
  { name: 'Audit', description: 'Read who did what at the console, by commands and by keys, for a collector.' },
  { name: 'Sandbox', description: 'Play the consumer, with test cards for every outcome. Test merchants only.' },
  { name: 'Service', description: 'For those who run the service. No key is needed.' },
];
