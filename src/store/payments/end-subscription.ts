// Ends a subscription in one statement, so it is ended once, with one event. Its version changes, so a charge that was
// decided before and is not committed yet is decided again, and refused. An earlier call may not have waited for the
// synchronous standby, so that is awaited before an end is reported.
import { partOf } from '../../domain/id.ts';
import type { EndedBy } from '../../domain/subscription.ts';
import type { Statement, TextRow } from '../connections/pool.ts';
import { sealOf } from '../statements/seals.ts';
import { SYNCHRONOUS_TIMELINE } from '../connections/timeline.ts';
import type { Timeline } from '../connections/timeline.ts';

const ENDED_AT = `(now() + interval '1 millisecond' * (
         select clock_ahead_ms from merchants where merchants.id = subscriptions.merchant_id
       ))`;

const END = {
  name: 'end_subscription',
  text: `with ended as (
       update subscriptions
       set state = 'ended', ended_by = $3::text, version = version + 1, ended_at = ${ENDED_AT},
         seal = ${sealOf('subscriptions', 'subscriptions', { ended_at: ENDED_AT, ended_by: '$3::text' })}
       where part = $1::smallint and id = $2::uuid and state <> 'ended'
       returning part, id, version, merchant_id, kind, payment_id
     ), told as (
       insert into events (part, subject_id, version, ordinal, merchant_id, name, happened_at, data, seal)
       select event.*, ${sealOf('events', 'event', { movement_id: 'null::uuid' })}
       from (
         select part, id as subject_id, version, 0 as ordinal, merchant_id, 'subscription.ended' as name,
           $4::timestamptz as happened_at, json_build_object(
             'subscriptionId', replace(id::text, '-', ''), 'kind', kind, 'endedBy', $3::text,
             'paymentId', replace(payment_id::text, '-', '')
           ) as data
         from ended
       ) as event
     )
     select exists (select 1 from ended), ${SYNCHRONOUS_TIMELINE}`,
};

type Writer = {
  readonly run: (statement: Statement, values: readonly (string | number | null)[]) => Promise<readonly TextRow[]>;
  /** Returns once the standby has everything that was found on this timeline. */
  readonly confirm: (found: Timeline) => Promise<void>;
};

/** False if it was already ended. */
export async function endSubscription(writer: Writer, id: string, by: EndedBy, at: number): Promise<boolean> {
  const [row] = await writer.run(END, [partOf(id), id, by, new Date(at).toISOString()]);
  const [isNews, timeline] = [row?.[0] === 't', row?.[1] ?? null];
  if (!isNews && timeline !== null) await writer.confirm(timeline);
  return isNews;
}
