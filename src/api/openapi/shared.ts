// Named components that several operations share: parameters, headers, and responses that do not depend on the
// operation. The texts of failures are those of errors.ts and outcome.ts.
import { failure, NO_CODE } from '../../server/answer.ts';
import type { Answer } from '../../server/answer.ts';
import { describeLimit } from '../../server/rate-limit.ts';
import { describeMissingScope } from '../../server/scopes.ts';
import { bodyOf } from '../operation.ts';
import { Errors, Failure } from '../schemas/failure.ts';
import { mapValues } from './components.ts';
import type { Components, Example, Header, Media, Parameter, Ref, Response, Schema } from './document.ts';
import { IDS } from './story.ts';

export const JSON_TYPE = 'application/json';

export const refTo = (kind: Exclude<keyof Components, 'securitySchemes'>, name: string): Ref => ({
  $ref: `#/components/${kind}/${name}`,
});

export const SECURITY_SCHEMES = {
  SecretKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'The secret key, bare or after `Bearer `: `test-secret-key-…` of a test merchant, `live-secret-key-…` of a live ' +
      'one. A missing, unknown, expired or revoked key is 401 without a body; one without the scope that an operation asks ' +
      'for, 403.',
  },
};

const pathId = (name: keyof typeof IDS, what: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description: `The ${what}'s id. One that does not exist, or is another merchant's, is 404.`,
  schema: { type: 'string', maxLength: 128 },
  example: IDS[name],
});

export const PARAMETERS: Readonly<Record<string, Parameter>> = {
  paymentId: pathId('paymentId', 'payment'),
  chargeId: pathId('chargeId', 'charge'),
  refundId: pathId('refundId', 'refund'),
  eventId: pathId('eventId', 'event'),
  webhookId: pathId('webhookId', 'webhook'),
  redeliveryId: pathId('redeliveryId', 'redelivery'),
  subscriptionId: pathId('subscriptionId', 'subscription'),
  unscheduledSubscriptionId: pathId('unscheduledSubscriptionId', 'subscription'),
  bulkId: pathId('bulkId', 'bulk'),
  payoutId: pathId('payoutId', 'payout'),
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a retry safe: with the same key and body the first answer comes again and nothing is done twice. Any 1 ' +
      'to 64 visible ASCII characters; kept for 7 days at least.',
    schema: { type: 'string', minLength: 1, maxLength: 64, pattern: String.raw`^[\x21-\x7e]+$` },
    example: 'order-1-charge-1',
  },
  CommercePlatformTag: {
    name: 'CommercePlatformTag',
    in: 'header',
    description: 'The name of your shop platform; kept with the payment.',
    schema: { type: 'string' },
    example: 'WooCommerce 9.8',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Goes on after this event: the `id` that was read last, when a stream broke off. Goes before `after`.',
    schema: { type: 'string' },
    example: IDS.eventId,
  },
};

export const HEADERS: Readonly<Record<string, Header>> = {
  RequestId: {
    description:
      'Names this request, in the log of the service too. Yours, if you sent a plain X-Request-Id: letters, digits, dots and dashes, and no key or card number.',
    schema: { type: 'string', pattern: String.raw`^[\w.-]{1,64}$` },
  },
  IdempotentReplayed: {
    description: '`true` when this is the first answer again; otherwise the header is missing.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: { description: 'Seconds to wait before the next try.', schema: { type: 'integer', minimum: 0 } },
  Allow: {
    description: 'The methods that this path takes; only when the method itself was wrong.',
    schema: { type: 'string' },
  },
};

export const REQUEST_ID = { 'X-Request-Id': refTo('headers', 'RequestId') };

/** Examples by their description. */
export const examplesOf = (examples: Readonly<Record<string, unknown>>): Readonly<Record<string, Example>> =>
  Object.fromEntries(Object.entries(examples).map(([summary, value]) => [nameOf(summary), { summary, value }]));

/** 'More than is left' → 'moreThanIsLeft'. */
const nameOf = (summary: string): string =>
  summary
    .replaceAll(/[^\w ]/g, '')
    .split(' ')
    .map((word, index) => (index === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

export const schemaOfStatus = (status: number): Schema => (status === 400 ? Errors : Failure) as Schema;

type Shared = { readonly name: string; readonly response: Response };

const emptyAnswer = (name: string, description: string): Shared => ({
  name,
  response: { description, headers: REQUEST_ID },
});

/** A failure, with examples by their cause. */
const failing = (name: string, description: string, found: Readonly<Record<string, Answer>>): Shared => {
  const media: Media = { schema: Failure, examples: examplesOf(mapValues(found, bodyOf)) };
  return { name, response: { description, headers: REQUEST_ID, content: { [JSON_TYPE]: media } } };
};

const waiting = ({ name, response }: Shared): Shared => ({
  name,
  response: { ...response, headers: { ...response.headers, 'Retry-After': refTo('headers', 'RetryAfter') } },
});

const OTHER_BODY = 'This Idempotency-Key was used with another body; a new request needs a new key.';
const STILL_OPEN = 'The outcome of the first request with this Idempotency-Key is not known yet';
const TOO_LARGE = 'The body is larger than 1 MiB.';

/** Responses by status, with the names of their components. */
export const SHARED_ANSWERS: Readonly<Record<number, Shared>> = {
  401: emptyAnswer('Unauthorized', 'The key is missing, unknown, expired or revoked. No body.'),
  403: failing('OutOfScope', 'The key has not the scope that this operation asks for.', {
    'Another scope': failure(403, NO_CODE, describeMissingScope('money')),
  }),
  404: emptyAnswer('NotFound', 'There is no such thing, or it is not yours. No body.'),
  409: failing('StillRunning', `${STILL_OPEN}.`, {
    'Not known yet': failure(409, NO_CODE, `${STILL_OPEN}; ask again in a moment.`),
  }),
  413: failing('BodyTooLarge', TOO_LARGE, { 'Too large': failure(413, NO_CODE, TOO_LARGE) }),
  415: failing('NotJson', 'The Content-Type of the body is not JSON.', {
    'Not JSON': failure(415, NO_CODE, 'The content type is text/plain; send JSON, for example application/json.'),
  }),
  422: failing('KeyOfAnotherRequest', 'This Idempotency-Key was used with another body.', {
    Charge: failure(422, '1026', OTHER_BODY),
    Refund: failure(422, '1027', OTHER_BODY),
    'Create, cancel or webhook': failure(422, NO_CODE, OTHER_BODY),
  }),
  429: waiting(
    failing('TooManyRequests', 'Too many requests a second, or too large ones.', {
      'Too many': failure(429, NO_CODE, describeLimit(true, 100)),
    }),
  ),
  500: failing('Defect', 'Something is wrong with the service; its log knows this request by its id.', {
    'A defect': failure(500, NO_CODE, 'Something is wrong on our side. Tell us this request id: 5f0c1e7a9b42-1k.'),
  }),
  503: waiting(
    failing(
      'Unavailable',
      'The database or the acquirer is away, or too many requests are waiting. Try again; with an Idempotency-Key nothing happens twice.',
      {
        'Database away': failure(
          503,
          NO_CODE,
          'The database is away. Try again in a moment; the request is 5f0c1e7a9b42-1k.',
        ),
        'Acquirer away': failure(
          503,
          NO_CODE,
          'The acquirer bank does not answer at the moment; nothing was done. Try again in a moment.',
          'bank',
        ),
        Overload: failure(503, NO_CODE, 'Too many requests are waiting; nothing was done. Try again in a moment.'),
      },
    ),
  ),
};
