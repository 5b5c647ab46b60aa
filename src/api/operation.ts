// Defines an operation of the API as one value, from which its route, its key requirements and its description are made.
// Its responses are documented by examples that the dialects make, so their texts are the real ones.
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Scope } from '../domain/scope.ts';
import type { Static, TObject, TSchema } from '../schema/type.ts';
import type { Answer } from '../server/answer.ts';
import type { Problem } from '../server/problem.ts';
import type { OperationName } from './dialects/dialect.ts';
import { nexi } from './dialects/nexi.ts';
import { spec } from './dialects/spec.ts';
import { presentation } from './openapi/story.ts';
import type { ReadingContext } from './request.ts';

export type TagName =
  | 'Payments'
  | 'Moving money'
  | 'Subscriptions'
  | 'Payouts'
  | 'Events'
  | 'Webhooks'
  | 'Audit'
  | 'Sandbox'
  | 'Service';

/** Examples by their description. */
type Examples = Readonly<Record<string, unknown>>;

type Success = {
  /** 404 for operations that exist for compatibility and never find anything. */
  readonly status: 200 | 201 | 202 | 204 | 404;
  readonly description: string;
  readonly schema?: TSchema | undefined;
  /** JSON by default. */
  readonly mediaType?: string;
  readonly examples?: Examples;
  /** The same response in the dialect `nexi`, if it differs. */
  readonly nexi?: unknown;
};

/** A response that is no success, with its cause. */
export type Refused = {
  readonly status: number;
  readonly summary: string;
  readonly value: unknown;
  /** Only sent to merchants with the dialect `nexi`. */
  readonly onlyNexi?: boolean;
};

type Documentation = {
  readonly tag: TagName;
  readonly summary: string;
  readonly description: string;
  readonly requests?: Examples;
  /** What a query parameter means, if its schema checks less than that. */
  readonly parameters?: Readonly<Record<string, { readonly schema?: object; readonly example: string | number }>>;
  /** A header that it accepts, by the name of its component. */
  readonly header?: 'CommercePlatformTag' | 'IdempotencyKey' | 'LastEventId';
  readonly success: Success;
  readonly refused?: readonly Refused[];
};

/** The description of an operation. One without a scope needs no key. */
export type Described<Body extends TSchema = TSchema, Query extends TObject = TObject> = Documentation & {
  /** Its name for clients. */
  readonly operationId: string;
  /** Method and path: POST /v1/charges/:chargeId/refunds. */
  readonly route: string;
  readonly scope?: Scope;
  readonly body?: Body;
  readonly query?: Query;
  readonly config?: Pick<FastifyContextConfig, 'operation' | 'keyed' | 'bodyOptional' | 'cost'>;
};

/** Returns the response, or nothing if it has sent one itself. */
type Handle<Body, Query> = (
  request: FastifyRequest & { readonly body: Body; readonly query: Query; readonly merchant: Merchant },
  context: ReadingContext,
  reply: FastifyReply,
) => Answer | undefined | Promise<Answer | undefined>;

type Handled<Body extends TSchema, Query extends TObject> = {
  readonly options?: { readonly attachValidation?: boolean; readonly exposeHeadRoute?: boolean };
  /** For a sandbox operation: the response to live merchants, sent before the body is checked. */
  readonly live?: Answer;
} & (
  | { readonly handler: Handle<Static<Body>, Static<Query>> }
  /** For an operation with state between requests: called when the route is registered, returns the handler. */
  | { readonly start: (context: ReadingContext, api: FastifyInstance) => Handle<Static<Body>, Static<Query>> }
);

export type Operation = Described & Handled<TSchema, TObject> & { readonly scope: Scope };

/** An operation, with the body and the query of its handler typed by their schemas. */
export const operation = <Body extends TSchema, Query extends TObject>(
  operationId: string,
  route: string,
  scope: Scope,
  rest: Omit<Described<Body, Query>, 'operationId' | 'route' | 'scope'> & Handled<Body, Query>,
): Operation => ({ operationId, route, scope, ...rest }) as unknown as Operation;

export const answers = (
  status: Success['status'],
  description: string,
  schema?: TSchema,
  examples?: Examples,
  inNexi?: unknown,
): Success => ({ status, description, schema, ...(examples && { examples }), nexi: inNexi });

export const bodyOf = ({ body }: Answer): unknown => JSON.parse(body) as unknown;

/** A refusal for the payment's state, in both dialects if they differ. */
export function refusedFor(
  name: OperationName,
  payment: Payment,
  refusals: readonly (readonly [summary: string, why: Refusal])[],
): Refused[] {
  return refusals.flatMap(([summary, why]) => {
    const answer = spec.refusal(why, name, payment, presentation);
    const other = nexi.refusal(why, name, payment, presentation);
    if (other.status === answer.status) return [refusal(summary, answer)];
    return [refusal(summary, answer), { ...refusal(summary, other), onlyNexi: true }];
  });
}

/** A refusal that is the same in both dialects. */
export const refusal = (summary: string, answer: Answer): Refused => ({
  status: answer.status,
  summary,
  value: bodyOf(answer),
});

/** A refusal of the request itself: 400. */
export const problems = (summary: string, ...found: readonly Problem[]): Refused =>
  refusal(summary, spec.problems(found, undefined));

export const problem = (summary: string, field: string, text: string): Refused => problems(summary, { field, text });

/** The same, with the literal texts of the dialect `nexi`. */
export const problemInNexi = (summary: string, name: OperationName, ...found: readonly Problem[]): Refused => ({
  ...refusal(summary, nexi.problems(found, name)),
  onlyNexi: true,
});

export const BODY_MISSING: Refused = problem('No body', 'instance', 'cannot be null');

export const BAD_ID = (name: string): Refused =>
  problem('An id that is too long', name, 'must have at most 128 characters, found 129');
