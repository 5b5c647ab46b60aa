// The vocabulary of the audit: actors, actions and facts. An action is recorded once, in the chain of its merchant.
import type { SellerField } from './seller.ts';

/** The actor: a person at the console, a user of the command line, an API key, or Kassa itself. */
export type Actor = {
  readonly kind: 'person' | 'cli' | 'key' | 'system';
  /** Identifies the actor, even after it was deleted. */
  readonly id: string;
  /** For display: an e-mail address, a user and machine, the name or last digits of a key. */
  readonly name: string;
  /** The IP address, if any. */
  readonly address?: string;
  /** In a session from a recovery link: who created the link. */
  readonly recoveryBy?: string;
};

/** For actions without a caller: the first start, and a webhook that is disabled automatically. */
export const KASSA: Actor = { kind: 'system', id: 'kassa', name: 'Kassa' };

/** All actions; the console has a text for each. */
export const ACTIONS = [
  'merchant.create',
  'merchant.change',
  'merchant.disable',
  'merchant.enable',
  'key.create',
  'key.revoke',
  'webhook.create',
  'webhook.change',
  'webhook.disable',
  'webhook.delete',
  'webhook.rotate',
  'webhook.ping',
  'events.resend',
  'events.resend-period',
  'events.resend-end',
  'person.invite',
  'person.role',
  'person.link',
  'person.link-ask',
  'person.link-approve',
  'person.link-refuse',
  'person.remove',
  'person.sign-in',
  'person.sign-in-refused',
  'person.sign-out',
  'person.credential',
  'person.lock',
  'person.unlock',
  'payment.charge',
  'payment.refund',
  'payment.cancel',
  'payment.cancel-refund',
  'payment.terminate',
  'payment.pay',
  'payment.erase',
  'payment.export',
  'access.refuse',
  'audit.export',
  'clock.move',
  'acquirer.put',
  'acquirer.remove',
] as const;
export type Action = (typeof ACTIONS)[number];

/** The seller's details are recorded field by field. */
type SellerFact = `seller.${SellerField}`;
/** All other facts; the console has a text for each. */
export type Fact =
  | (
      | 'name'
      | 'mode'
      | 'dialect'
      | 'secondFactor'
      | 'strictItems'
      | 'reserveOnDemand'
      | 'acquirer'
      | 'refundProof'
      | 'colour'
      | 'logo'
    )
  | ('endsWith' | 'scopes' | 'expires')
  | ('url' | 'events' | 'state' | 'reason')
  | ('event' | 'about' | 'webhook' | 'hook' | 'since' | 'until' | 'onlyFailed' | 'redelivery')
  | ('email' | 'role' | 'byGroups' | 'signedOutEverywhere' | 'method' | 'passkey' | 'password')
  | ('amount' | 'currency' | 'movementId' | 'refundId' | 'refused' | 'outcome')
  | ('format' | 'rows' | 'complete' | 'search' | 'sort')
  | 'time'
  | ('times' | 'sessions')
  | ('recovery' | 'recoveryBy')
  // Instead of facts that are too large to store.
  | ('bytes' | 'sha256');

/** The state before and after a change, without secrets. */
export type Facts = { readonly [Name in Fact | SellerFact]?: unknown };

export type Act = {
  readonly actor: Actor;
  readonly action: Action;
  /** The id of the key, webhook, person, payment or merchant concerned. */
  readonly subject: string;
  readonly before?: Facts;
  readonly after?: Facts;
};

/** The facts of an action, marked if its session came from a recovery link. */
export const markedFacts = ({ recoveryBy }: Actor, after: Facts | undefined): Facts | undefined =>
  recoveryBy === undefined ? after : { ...after, recoveryBy };

/** Only the fields that differ; undefined if none does. */
export function differenceOf(
  before: Facts,
  after: Facts,
): { readonly before: Facts; readonly after: Facts } | undefined {
  const names = ([...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Facts)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return undefined;
  const pick = (facts: Facts): Facts => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
