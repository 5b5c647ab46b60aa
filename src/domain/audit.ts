// Who did something, and what: the words of the audit. An act is told of once, in the chain of its merchant.

/** By whom: a person at the console, somebody at the command line, a key of the API, or Kassa itself. */
export type Actor = {
  readonly kind: 'person' | 'cli' | 'key' | 'system';
  /** By which acts of the same one are found; stays when the one is gone. */
  readonly id: string;
  /** For those who read it: an e-mail address, a user and machine, the name or the last digits of a key. */
  readonly name: string;
  /** The network address it came from, where there was one. */
  readonly address?: string;
};

/** What nobody asked for: the first start, and a webhook that is switched off. */
export const KASSA: Actor = { kind: 'system', id: 'kassa', name: 'Kassa' };

/** Every act, with the words that a page has for it. */
export const ACTIONS = {
  'merchant.create': 'Created the merchant',
  'merchant.change': 'Changed settings',
  'merchant.disable': 'Disabled the merchant',
  'merchant.enable': 'Enabled the merchant',
  'key.create': 'Created a key',
  'key.revoke': 'Revoked a key',
  'webhook.create': 'Created a webhook',
  'webhook.change': 'Changed a webhook',
  'webhook.disable': 'Switched a webhook off',
  'webhook.delete': 'Deleted a webhook',
  'webhook.rotate': 'Gave a webhook another secret',
  'webhook.ping': 'Sent a test event',
  'events.resend': 'Sent an event again',
  'events.resend-period': 'Began to send events again',
  'events.resend-end': 'Stopped sending events again',
  'person.invite': 'Invited a person',
  'person.role': 'Changed a role',
  'person.link': 'Made a sign-in link',
  'person.remove': 'Removed a person',
  'person.sign-in': 'Signed in',
  'person.credential': 'Changed a way to sign in',
  'payment.charge': 'Charged',
  'payment.refund': 'Refunded',
  'payment.cancel': 'Cancelled',
  'payment.cancel-refund': 'Called a refund back',
  'payment.terminate': 'Terminated a payment',
  'payment.pay': 'Paid as the consumer',
  'payment.erase': 'Erased the consumer',
  'payment.export': 'Exported payments',
  'clock.move': 'Moved the test clock',
  'acquirer.put': 'Set an acquirer',
  'acquirer.remove': 'Removed an acquirer',
} as const;
export type Action = keyof typeof ACTIONS;

/** What is told of something before and after it was changed: never a secret. */
export type Facts = Readonly<Record<string, unknown>>;

export type Act = {
  readonly actor: Actor;
  readonly action: Action;
  /** What it was done to: the id of a key, a webhook, a person, a payment or the merchant. */
  readonly subject: string;
  readonly before?: Facts;
  readonly after?: Facts;
};

/** Of two states only what differs; undefined where nothing does. */
export function differenceOf(
  before: Facts,
  after: Facts,
): { readonly before: Facts; readonly after: Facts } | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return undefined;
  const pick = (facts: Facts): Facts => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
