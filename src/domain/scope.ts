// The scopes of a key. A key without scopes can do everything that a shop needs. Reading the audit, which contains personal
// data, requires an explicit scope.

export const USUAL_SCOPES = ['read', 'money', 'webhooks'] as const;
export const SCOPES = [...USUAL_SCOPES, 'audit'] as const;
export type Scope = (typeof SCOPES)[number];

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);

/** `scopes`: those of the key, if any. */
export const grantsScope = (scopes: readonly Scope[] | undefined, scope: Scope): boolean =>
  (scopes ?? USUAL_SCOPES).includes(scope);

/** The scopes to store: undefined for the default ones. */
export const ownScopes = (chosen: readonly Scope[]): readonly Scope[] | undefined =>
  chosen.length === USUAL_SCOPES.length && USUAL_SCOPES.every((scope) => chosen.includes(scope)) ? undefined : chosen;
