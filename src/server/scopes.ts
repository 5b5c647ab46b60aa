// Whether a key is good for what it is used for. A route without a scope cannot be made, so that none is forgotten.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { grantsScope } from '../domain/scope.ts';
import type { Scope } from '../domain/scope.ts';

/** The key is somebody's, and may not be used for this. */
export class OutOfScope extends Error {
  override readonly name = 'OutOfScope';

  constructor(scope: Scope) {
    super(describeMissingScope(scope));
  }
}

export const describeMissingScope = (scope: Scope): string =>
  `This key has not the scope ${scope}, which this operation asks for; use another key, or make one with it.`;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a key must be good for; of routes that ask for a key. */
    scope?: Scope;
  }
}

/** Whether the key of the request is good for that. */
export function hasScope({ key }: FastifyRequest, scope: Scope): boolean {
  return key !== null && grantsScope(key.scopes, scope);
}

/** Whose key it is, and what it asked for; of the audit, which does not wait for it. */
export type KeyAccess = (request: FastifyRequest, action: 'access.refuse' | 'audit.export', scope: Scope) => void;

const requireScope =
  (note: KeyAccess) =>
  (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const { key } = request;
    const { scope } = request.routeOptions.config;
    if (scope === undefined || !key || grantsScope(key.scopes, scope)) {
      if (scope === 'audit') note(request, 'audit.export', scope);
      return done();
    }
    note(request, 'access.refuse', scope);
    done(new OutOfScope(scope));
  };

/** On every route of the API, once it is known whose key it is. */
export function requireScopes(api: FastifyInstance, note: KeyAccess): void {
  api.addHook('onRoute', (route) => {
    if (route.config?.scope === undefined) throw new Error(`${String(route.method)} ${route.url} has no scope`);
  });
  api.addHook('onRequest', requireScope(note));
}
