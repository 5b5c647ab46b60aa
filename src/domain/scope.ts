// What a key may be used for. A key without scopes of its own may be used for everything.

export const SCOPES = ['read', 'money', 'webhooks'] as const;
export type Scope = (typeof SCOPES)[number];

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);
