// GET /v1/subscriptions by an external reference, and the same for unscheduled ones.
import * as Type from '../../schema/type.ts';
import { NOT_FOUND } from '../../server/answer.ts';
import { badField } from '../../server/problem.ts';
import { WHAT } from '../openapi/subscription-examples.ts';
import { answers, operation, problem } from '../operation.ts';
import type { OfKind } from '../parts/subscription-spelling.ts';
import { Text } from '../schemas/values.ts';

export const findSubscription: OfKind = ({ kind, path, operation: nameOf }) =>
  operation(nameOf('findSubscription'), `GET ${path}`, 'read', {
    query: Type.Object({
      externalReference: Type.Optional(Text(128, 'Of an imported subscription.')),
      externalreference: Type.Optional(Text(128, 'The same.')),
    }),
    tag: 'Subscriptions',
    summary: `Find ${WHAT[kind]} by its external reference`,
    description: 'Only imported subscriptions have such a reference, and nothing is imported here: it is always 404.',
    parameters: { externalReference: { example: 'old-17' }, externalreference: { example: 'old-17' } },
    success: answers(404, 'Nothing is imported, so no subscription has a reference.'),
    refused: [problem('No reference', 'externalReference', 'is required')],
    handler: (request) => {
      const { externalReference, externalreference } = request.query;
      if ((externalReference ?? externalreference) === undefined) throw badField('externalReference', 'is required');
      // Only imported subscriptions have a reference, and there is no import.
      return NOT_FOUND;
    },
  });
