// What a key may be used for. A key without scopes of its own may be used for everything.

export const SCOPES = ['read', 'money', 'webhooks'] as const;
export type Scope = (typeof SCOPES)[number];

export const SCOPE_MEANS: Readonly<Record<Scope, string>> = {
  read: 'read payments, subscriptions, payouts, events and webhooks',
  money: 'create and change payments; charge, refund and cancel',
  webhooks: 'make, change and delete webhooks; send events again, and so read what they tell of payments',
};

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);
