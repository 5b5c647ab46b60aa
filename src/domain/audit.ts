// Who did something, and what: the words of the audit. An act is told of once, in the chain of its merchant.
import type { SellerField } from './seller.ts';

/** By whom: a person at the console, somebody at the command line, a key of the API, or Kassa itself. */
export type Actor = {
  readonly kind: 'person' | 'cli' | 'key' | 'system';
  /** By which acts of the same one are found; stays when the one is gone. */
  readonly id: string;
  /** For those who read it: an e-mail address, a user and machine, the name or the last digits of a key. */
  readonly name: string;
  /** The network address it came from, where there was one. */
  readonly address?: string;
  /** In a session that a recovery link began: who made the link. */
  readonly recoveryBy?: string;
};

/** What nobody asked for: the first start, and a webhook that is switched off. */
export const KASSA: Actor = { kind: 'system', id: 'kassa', name: 'Kassa' };

/** Every act; the console has words for each. */
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

/** Of what a merchant is on invoices the audit tells field by field. */
type SellerFact = `seller.${SellerField}`;
/** Every other fact; the console has words for each. */
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
  // In place of facts that are too large to be kept.
  | ('bytes' | 'sha256');

/** What is told of something before and after it was changed: never a secret. */
export type Facts = { readonly [Name in Fact | SellerFact]?: unknown };

export type Act = {
  readonly actor: Actor;
  readonly action: Action;
  /** What it was done to: the id of a key, a webhook, a person, a payment or the merchant. */
  readonly subject: string;
  readonly before?: Facts;
  readonly after?: Facts;
};

/** The facts of an act, with the mark of a session that a recovery link began. */
export const markedFacts = ({ recoveryBy }: Actor, after: Facts | undefined): Facts | undefined =>
  recoveryBy === undefined ? after : { ...after, recoveryBy };

/** Of two states only what differs; undefined where nothing does. */
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
