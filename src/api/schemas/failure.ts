// The bodies of answers that are no success, the same for every operation.
import * as Type from '../../schema/type.ts';
import { ERROR_CODES } from '../openapi/error-codes.ts';
import type { ErrorCode } from '../openapi/error-codes.ts';

export const Errors = Type.Object(
  {
    errors: Type.Object(
      {},
      {
        additionalProperties: Type.Array(Type.String(), { minItems: 1 }),
        description: 'Texts by the path of the field in the request, for example `order.items[0].name`.',
      },
    ),
  },
  { title: 'Errors', description: 'What is wrong with the request, field by field.' },
);

const describeCode = ({ code, name, meaning = 'Kassa never answers with it.' }: ErrorCode): string =>
  `- \`${code}\` ${name}: ${meaning}`;

export const Failure = Type.Object(
  {
    message: Type.String({ description: 'For people: what is wrong and, where it is known, what to do.' }),
    code: Type.String({
      enum: ERROR_CODES.map(({ code }) => code),
      description: ['A text from a closed list:', ...ERROR_CODES.map(describeCode)].join('\n'),
    }),
    source: Type.String({ description: '`internal`, or the name of the acquirer that said so.' }),
  },
  { title: 'Failure', description: 'Why the request was not carried out.' },
);
