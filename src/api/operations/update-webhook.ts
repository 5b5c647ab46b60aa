// PUT /v1/webhooks/{webhookId}: changes the endpoint or the events, enables or disables it.
import { NO_ID } from '../../domain/id.ts';
import { changeWebhook } from '../../merchants/webhooks.ts';
import * as Type from '../../schema/type.ts';
import { NO_CONTENT, NOT_FOUND } from '../../server/answer.ts';
import { actorOf } from '../../server/asker.ts';
import { badField } from '../../server/problem.ts';
import { EMPTY_LIST, FORBIDDEN_ADDRESS, UNKNOWN_EVENT, UNKNOWN_FIELD, url } from '../openapi/webhook-examples.ts';
import { answers, BODY_MISSING, operation, problem } from '../operation.ts';
import { readEvents, requireGood } from '../parts/webhook-input.ts';
import { idIn } from '../request.ts';
import { Names, Url } from '../schemas/webhook.ts';

const WebhookChangeSchema = Type.Object(
  {
    url: Type.Optional(Url),
    events: Names('All of them anew, as in the request that made it.'),
    state: Type.Optional(
      Type.String({
        enum: ['enabled', 'disabled'],
        description: 'Switches it on, sends what was held and forgets its failures; or off.',
      }),
    ),
  },
  {
    title: 'WebhookChangeRequest',
    description: 'What is left out stays as it is; not everything can be left out.',
    additionalProperties: false,
  },
);

export const updateWebhook = operation('updateWebhook', 'PUT /v1/webhooks/:webhookId', 'webhooks', {
  body: WebhookChangeSchema,
  options: { attachValidation: true },
  tag: 'Webhooks',
  summary: 'Update a webhook',
  description:
    'Changes the address or the events, or switches it off or on. What is on its way when it is switched off is held, ' +
    'and sent at once when it is switched on again. What happens while it is off is not ' +
    'queued for it: redeliver it afterwards.',
  requests: {
    'Switch it on again': { state: 'enabled' },
    'Another address, all events': { url: `${url}/2`, events: ['*'] },
  },
  success: answers(204, 'The webhook is updated.'),
  refused: [
    FORBIDDEN_ADDRESS,
    UNKNOWN_EVENT,
    EMPTY_LIST,
    UNKNOWN_FIELD('url, events, state'),
    problem('Nothing to change', 'url', 'is required, or events, or state'),
    BODY_MISSING,
  ],
  handler: async (request, { store, privateHooks }) => {
    requireGood(request, { privateHooks });
    const { url: address, events, state } = request.body;
    const change = {
      ...(address !== undefined && { url: address }),
      ...(events !== undefined && { events: readEvents(events) }),
      ...(state !== undefined && { enabled: state === 'enabled' }),
    };
    if (Object.keys(change).length === 0) throw badField('url', 'is required, or events, or state');
    // An invalid id is looked up all the same: the endpoint is checked first.
    const id = idIn(request, 'webhookId') ?? NO_ID;
    const merchant = request.merchant;
    const changed = await changeWebhook(store.pool, actorOf(request), merchant, id, change, { privateHooks });
    if (changed.kind === 'bad_url') throw badField('url', changed.why);
    return changed.kind === 'changed' ? NO_CONTENT : NOT_FOUND;
  },
});
