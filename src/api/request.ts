// What a route needs from its request besides the body: the merchant, ids from the path, the idempotency key.
import type { FastifyRequest } from 'fastify';
import { readId } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { IdempotencyKey } from '../payments/idempotency.ts';
import type { Payments } from '../payments/service.ts';
import type { Dialect, OperationName, PresentationContext } from './dialects/dialect.ts';
import { nexi } from './dialects/nexi.ts';
import { spec } from './dialects/spec.ts';
import { merchantOf } from '../server/asker.ts';
import type { Store } from '../store/store.ts';
import type { CostlyWork } from '../server/costly-work.ts';
import { badField } from '../server/problem.ts';

export type RouteContext = {
  readonly payments: Payments;
  readonly publicUrl: () => string;
  /** Whether test merchants' hooks may reach private addresses. */
  readonly privateHooks: boolean;
};

/** What operations receive. */
export type ReadingContext = RouteContext & {
  readonly store: Store;
  readonly costly: CostlyWork;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the normalized body, if the request has an idempotency key. */
    digest: string | null;
    /** The size of the received body. */
    bodyBytes: number;
  }
  interface FastifyContextConfig {
    operation?: OperationName;
    /** Accepts an Idempotency-Key. */
    keyed?: boolean;
    /** Works without a body. */
    bodyOptional?: boolean;
  }
}

const DIALECTS: Record<Merchant['dialect'], Dialect> = { spec, nexi };
const LONGEST_PATH_ID = 128;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,64}$/;

export const dialectFor = ({ dialect }: Pick<Merchant, 'dialect'>): Dialect => DIALECTS[dialect];

export const dialectOf = (request: FastifyRequest): Dialect => dialectFor(merchantOf(request));

export const presentationContextOf = (request: FastifyRequest, context: RouteContext): PresentationContext => ({
  publicUrl: context.publicUrl(),
  merchant: merchantOf(request),
});

type PathId = 'paymentId' | 'chargeId' | 'refundId' | 'eventId' | 'webhookId' | 'redeliveryId' | DashedPathId;
type DashedPathId = 'subscriptionId' | 'unscheduledSubscriptionId' | 'bulkId' | 'payoutId';

/** The id in the path; undefined if it is invalid, which is a 404. */
export function idIn(request: FastifyRequest, name: PathId): string | undefined {
  const text = (request.params as Record<string, string>)[name] ?? '';
  if (text.length > LONGEST_PATH_ID)
    throw badField(name, `must have at most ${LONGEST_PATH_ID} characters, found ${text.length}`);
  return readId(text);
}

/** The same, spelled with dashes or without. */
export function dashedIdIn(request: FastifyRequest, name: DashedPathId): string | undefined {
  return idIn(request, name) ?? readId(((request.params as Record<string, string>)[name] ?? '').replaceAll('-', ''));
}

export function idempotencyOf(request: FastifyRequest): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  return { key, request: request.digest ?? '' };
}

export function requireWellFormedKey(request: FastifyRequest): boolean {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return false;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
    throw badField('Idempotency-Key', 'must have 1 to 64 visible ASCII characters');
  return true;
}
