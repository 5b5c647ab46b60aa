// What a key may be used for. A key without scopes of its own may be used for all that a shop does. To read the audit,
// which tells of people, a key has to name that.

export const USUAL_SCOPES = ['read', 'money', 'webhooks'] as const;
export const SCOPES = [...USUAL_SCOPES, 'audit'] as const;
export type Scope = (typeof SCOPES)[number];

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);

/** `scopes`: a key's own; undefined where it has none. */
export const grantsScope = (scopes: readonly Scope[] | undefined, scope: Scope): boolean =>
  (scopes ?? USUAL_SCOPES).includes(scope);

/** What a key of these is made with: undefined where they are the usual ones. */
export const ownScopes = (chosen: readonly Scope[]): readonly Scope[] | undefined =>
  chosen.length === USUAL_SCOPES.length && USUAL_SCOPES.every((scope) => chosen.includes(scope)) ? undefined : chosen;
