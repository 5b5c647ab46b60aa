// Checks the scope of a key. A route cannot be registered without a scope, so none is forgotten.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { grantsScope } from '../domain/scope.ts';
import type { Scope } from '../domain/scope.ts';

/** The key is valid, but lacks the scope. */
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
    /** The scope that a key needs, on routes that require one. */
    scope?: Scope;
  }
}

/** Whether the request's key has the scope. */
export function hasScope({ key }: FastifyRequest, scope: Scope): boolean {
  return key !== null && grantsScope(key.scopes, scope);
}

/** Records the key and what it asked for in the audit, without waiting. */
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

/** On every route of the API, after authentication. */
export function requireScopes(api: FastifyInstance, note: KeyAccess): void {
  api.addHook('onRoute', (route) => {
    if (route.config?.scope === undefined) throw new Error(`${String(route.method)} ${route.url} has no scope`);
  });
  api.addHook('onRequest', requireScope(note));
}
