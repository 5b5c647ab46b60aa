// The two kinds of subscriptions as the API spells them. Each of their operations is defined once for both.
import type { SubscriptionKind } from '../../domain/agreement.ts';
import type { Operation } from '../operation.ts';

export type Spelling = {
  readonly kind: SubscriptionKind;
  readonly path: string;
  readonly idName: 'subscriptionId' | 'unscheduledSubscriptionId';
  /** The list in a bulk. */
  readonly listName: 'subscriptions' | 'unscheduledSubscriptions';
  /** The prefix of an operation's name. */
  readonly operation: (name: string) => string;
};

export const SPELLINGS: readonly Spelling[] = [
  {
    kind: 'scheduled',
    path: '/v1/subscriptions',
    idName: 'subscriptionId',
    listName: 'subscriptions',
    operation: (name) => name,
  },
  {
    kind: 'unscheduled',
    path: '/v1/unscheduledsubscriptions',
    idName: 'unscheduledSubscriptionId',
    listName: 'unscheduledSubscriptions',
    operation: (name) => name.replace('Subscription', 'UnscheduledSubscription').replace('Bulk', 'UnscheduledBulk'),
  },
];

/** An operation of both kinds, in the words of one. */
export type OfKind = (spelling: Spelling) => Operation;
