// The merchant and the key of a request.
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../domain/audit.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { KeyHolder } from '../store/merchants/keys.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set from the key, on every route that requires one. */
    merchant: Merchant | null;
    /** The key of the request. */
    key: KeyHolder['key'] | null;
  }
}

export function merchantOf(request: FastifyRequest): Merchant {
  if (request.merchant === null) throw new Error('this route has no merchant');
  return request.merchant;
}

/** The key of the request, which is recorded with what it changes. */
export function keyIdOf({ key }: FastifyRequest): string {
  if (key === null) throw new Error('this route has no key');
  return key.id;
}

/** The caller, for the audit. */
export function actorOf({ key, ip }: FastifyRequest): Actor {
  if (key === null) throw new Error('this route has no key');
  return {
    kind: 'key',
    id: key.id,
    name: key.name === undefined ? `…${key.hint}` : `${key.name} (…${key.hint})`,
    address: ip,
  };
}
