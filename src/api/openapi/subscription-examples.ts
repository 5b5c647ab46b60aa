// The subscription of the documentation, and examples that several of its operations share.
import { DEFAULT_CARD, exchangeTestCard } from '../../acquirers/test-cards.ts';
import type { Instrument } from '../../acquirers/test-cards.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { failure } from '../../server/answer.ts';
import { problem, refusal } from '../operation.ts';
import type { Refused } from '../operation.ts';
import type { Spelling } from '../parts/subscription-spelling.ts';
import { IDS, sneakers } from './story.ts';

const AGREED_AT = Date.UTC(2026, 2, 17, 9, 30);
export const ENDS_AT = Date.UTC(2031, 5, 1, 12, 30);
const { subscriptionId: id, paymentId, chargeId } = IDS;
export const CHARGED = { paymentId, chargeId };

const { source, method } = exchangeTestCard(DEFAULT_CARD) as Instrument;
export const order = { items: [sneakers], amount: 100_000, currency: 'SEK', reference: 'month-2' };

export const WHAT: Readonly<Record<Spelling['kind'], string>> = {
  scheduled: 'a subscription',
  unscheduled: 'an unscheduled subscription',
};
export const SUM_DIFFERS = problem(
  'The amount is not the sum of the items',
  'order.amount',
  'is 99999, but the grossTotalAmount of the items sums up to 100000',
);

export const OTHER_CONTENT: Refused = refusal(
  'The name of another bulk',
  failure(422, '1026', 'A bulk with this name was asked for with other content; a new bulk needs a new name.'),
);

export const BAD_PAGE = problem(
  'Two ways to choose a page at once',
  'pageNumber',
  'must be left out when skip or take is given',
);

export const QUERY = {
  skip: { example: '0' },
  take: { example: '100' },
  pageNumber: { example: '0' },
  pageSize: { example: '100' },
};

export const unknownIn = ({ listName, idName }: Spelling): Refused =>
  problem('No such subscription', `${listName}[0].${idName}`, 'must be the id of a subscription of yours');

/** One entry of a bulk, as it is shown. */
export const bulkPage = ({ idName }: Spelling, entry: object): object => ({
  page: [{ [idName]: id, ...entry }],
  more: false,
  status: 'Done',
});

export const subscriptionOf = (kind: Spelling['kind']): Subscription => ({
  id,
  merchantId: 100_001,
  kind,
  version: 1,
  beganOn: '2026-03-17',
  intervalDays: 28,
  endsAt: ENDS_AT,
  state: 'active',
  secret: '0'.repeat(32),
  paymentId,
  acquirer: 'simulator',
  source,
  method,
  consent: { agreedAt: AGREED_AT, amount: 100_000, currency: 'SEK', language: 'sv' },
});
