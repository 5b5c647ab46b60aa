// The hooks of a payment, from the request that creates it.
import type { WebHook } from '../../domain/payment.ts';
import { refuseUrl } from '../../events/addresses.ts';
import type { Reach } from '../../events/addresses.ts';
import { badField } from '../../server/problem.ts';
import type { CreateBody } from '../schemas/payment-request.ts';

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]{1,128}$/;

function requireHeaderNames(field: string, headers: readonly object[] = []): void {
  if (headers.flatMap(Object.keys).every((name) => HEADER_NAME.test(name))) return;
  throw badField(field, 'must have names that a header can have');
}

export function readWebHooks(
  { notifications }: Pick<CreateBody, 'notifications'>,
  reach: Reach,
): WebHook[] | undefined {
  if (notifications?.webHooks?.length && notifications.webhooks?.length)
    throw badField('notifications.webHooks', 'must be given once, as webHooks or as webhooks');
  const name = notifications?.webHooks?.length ? 'webHooks' : 'webhooks';
  return notifications?.[name]?.map(({ eventName, url, authorization, headers }, index) => {
    const field = `notifications.${name}[${index}]`;
    requireHeaderNames(`${field}.headers`, headers);
    const refusal = refuseUrl(url, reach);
    if (refusal !== undefined) throw badField(`${field}.url`, refusal);
    return { eventName, url, ...(authorization !== undefined && { authorization }), ...(headers && { headers }) };
  });
}
