// The `webhooks` of the API description: one request for each event, built from the definitions that delivery uses.
import { EnvelopeSchema } from '../../events/body.ts';
import { definitions } from '../../events/definitions.ts';
import type { Definition } from '../../events/making.ts';
import { exampleOf } from '../../events/examples.ts';
import type { Operation, Parameter, Schema } from './document.ts';
import { JSON_TYPE } from './shared.ts';

const SIGNATURE: readonly Parameter[] = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: "The event's `id`: the same however often it is sent.",
    schema: { type: 'string' },
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this try was made, in seconds since 1970.',
    schema: { type: 'string' },
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description: 'Signatures as Standard Webhooks says, with spaces between them: one for each secret that is valid.',
    schema: { type: 'string' },
  },
];

const RESPONSES = {
  '2XX': { description: 'You have taken it. Anything else is tried again, for about three days.' },
  '410': { description: 'There is nobody here any more: the webhook is switched off.' },
};

/** payment.charge.created.v2 → onPaymentChargeCreatedV2. */
const operationIdOf = (name: string): string =>
  `on${name.replaceAll(/(?:^|\.)([a-z])/g, (_match, letter: string) => letter.toUpperCase())}`;

function describe(definition: Definition): Operation {
  const { name, summary } = definition;
  const schema = EnvelopeSchema(definition) as Schema;
  return {
    operationId: operationIdOf(name),
    summary: name,
    description: summary,
    tags: ['Webhooks'],
    security: [],
    parameters: SIGNATURE,
    requestBody: {
      required: true,
      content: { [JSON_TYPE]: { schema, examples: { example: { summary: name, value: exampleOf(name) } } } },
    },
    responses: RESPONSES,
  };
}

export const describeWebhooks = (): Readonly<Record<string, { readonly post: Operation }>> =>
  Object.fromEntries(definitions.map((definition) => [definition.name, { post: describe(definition) }]));
