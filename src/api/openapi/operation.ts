// What the documentation says of an operation, beside what its route says itself (path, body, query, whether it takes
// an Idempotency-Key). Answers are examples made by the dialects, so their texts are those of the service.
import type { TSchema } from '../../schema/type.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Refusal } from '../../domain/refusal.ts';
import type { Answer } from '../../server/answer.ts';
import type { OperationName } from '../dialects/dialect.ts';
import { nexi } from '../dialects/nexi.ts';
import { spec } from '../dialects/spec.ts';
import type { Problem } from '../../server/problem.ts';
import { presentation } from '../operations/story.ts';

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

export type Example = { readonly summary: string; readonly value: unknown };

export type Success = {
  /** 404 where an operation is there for clients that ask, and never finds anything. */
  readonly status: 200 | 201 | 202 | 204 | 404;
  readonly description: string;
  readonly schema?: TSchema;
  /** By default JSON. */
  readonly mediaType?: string;
  readonly examples?: readonly Example[];
  /** The same answer in the dialect `nexi`, where it differs. */
  readonly nexi?: unknown;
};

/** An answer that is no success, with what leads to it. */
export type Refused = {
  readonly status: number;
  readonly summary: string;
  readonly value: unknown;
  /** Only a merchant with the dialect `nexi` is answered so. */
  readonly onlyNexi?: boolean;
};

export type OperationDoc = {
  readonly tag: TagName;
  readonly summary: string;
  readonly description: string;
  readonly requests?: readonly Example[];
  /** What the text of a query parameter stands for, where its schema checks less than that. */
  readonly query?: Readonly<Record<string, { readonly schema?: object; readonly example: string | number }>>;
  /** A header that it takes, by the name of its component. */
  readonly header?: 'CommercePlatformTag' | 'IdempotencyKey' | 'LastEventId';
  readonly success: Success;
  readonly refused?: readonly Refused[];
};

export const bodyOf = ({ body }: Answer): unknown => JSON.parse(body) as unknown;

/** A refusal for the state of the payment, in both dialects where they differ. */
export function refusedFor(
  operation: OperationName,
  payment: Payment,
  refusals: readonly (readonly [summary: string, refusal: Refusal])[],
): Refused[] {
  return refusals.flatMap(([summary, refusal]) => {
    const answer = spec.refusal(refusal, operation, payment, presentation);
    const other = nexi.refusal(refusal, operation, payment, presentation);
    const common = { status: answer.status, summary, value: bodyOf(answer) };
    if (other.status === answer.status) return [common];
    return [common, { status: other.status, summary, value: bodyOf(other), onlyNexi: true }];
  });
}

/** A refusal of the request itself: 400. */
export const problem = (summary: string, ...problems: readonly Problem[]): Refused => {
  const answer = spec.problems(problems, undefined);
  return { status: answer.status, summary, value: bodyOf(answer) };
};

/** The same, with the literal texts of the dialect `nexi`. */
export const problemInNexi = (summary: string, operation: OperationName, ...problems: readonly Problem[]): Refused => {
  const answer = nexi.problems(problems, operation);
  return { status: answer.status, summary, value: bodyOf(answer), onlyNexi: true };
};

export const BODY_MISSING: Refused = problem('No body', { field: 'instance', text: 'cannot be null' });

export const BAD_ID = (name: string): Refused =>
  problem('An id that is too long', { field: name, text: 'must have at most 128 characters, found 129' });
