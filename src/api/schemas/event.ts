// An event as it is answered, and the names by which events are chosen.
import { EnvelopeSchema } from '../../events/body.ts';
import { definitions } from '../../events/definitions.ts';
import * as Type from '../../schema/type.ts';

export const TYPE = 'Only events of this name, or of these: several with commas between them.';

export const Event = Type.Union(definitions.map(EnvelopeSchema), {
  title: 'Event',
  description: 'As it is sent to webhooks: one of the events that are listed there, by its name in `event`.',
});
