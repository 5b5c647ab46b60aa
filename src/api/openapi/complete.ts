// Completes the document that @fastify/swagger made of the routes: paths, bodies and queries are the routes' own, the
// rest comes from the documentation of each operation and from what its route asks for.
import type { FastifyInstance } from 'fastify';
import { TRAITS } from '../openapi.ts';
import type { Traits } from '../openapi.ts';
import type { Components, Document, Media, Operation, Parameter, Ref, Response, Schema } from './document.ts';
import { mapValues, SchemaNames } from './components.ts';
import { AUDIT_OPERATIONS } from '../operations/audit/documentation.ts';
import { EVENT_OPERATIONS } from '../operations/events/documentation.ts';
import { MONEY_OPERATIONS } from '../operations/money/documentation.ts';
import type { OperationDoc, Refused } from './operation.ts';
import { PAYMENT_OPERATIONS } from '../operations/payments/documentation.ts';
import { PAYOUT_OPERATIONS } from '../operations/payouts/documentation.ts';
import { SANDBOX_OPERATIONS } from '../operations/sandbox/documentation.ts';
import { SUBSCRIPTION_OPERATIONS } from '../operations/subscriptions/documentation.ts';
import { SERVICE_OPERATIONS } from './service.ts';
import {
  examplesOf,
  HEADERS,
  JSON_TYPE,
  PARAMETERS,
  REQUEST_ID,
  refTo,
  schemaOfStatus,
  SECURITY_SCHEMES,
  SHARED_ANSWERS,
} from './shared.ts';
import { WEBHOOK_OPERATIONS } from '../operations/webhooks/documentation.ts';
import { describeWebhooks } from './webhooks.ts';

/** In the order in which people read them. */
const OPERATIONS: Readonly<Record<string, OperationDoc>> = {
  ...PAYMENT_OPERATIONS,
  ...MONEY_OPERATIONS,
  ...SUBSCRIPTION_OPERATIONS,
  ...PAYOUT_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...SANDBOX_OPERATIONS,
  ...SERVICE_OPERATIONS,
};

/** The servers are told by whoever serves it. */
type Unserved = Omit<Document, 'servers'>;

type Made = Operation & { readonly [TRAITS]: Traits };

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is wrong in itself, or asks for more than there is.',
  402: 'The money cannot be moved.',
  405: 'The state of the payment does not allow it, or the method is wrong.',
  500: 'The outcome is not known yet, or something is wrong with the service; its log knows this request by its id.',
  503: 'The service cannot take requests now.',
};

const REPLAYED = { 'Idempotent-Replayed': refTo('headers', 'IdempotentReplayed') };

function successOf({ success }: OperationDoc, keyed: boolean): Response {
  const { description, schema, mediaType = JSON_TYPE, examples = [], nexi } = success;
  const headers = { ...REQUEST_ID, ...(keyed && REPLAYED) };
  if (schema === undefined) return { description: `${description} No body.`, headers };
  const media: Media = {
    schema,
    examples: examplesOf(examples),
    ...(nexi !== undefined && { 'x-nexi-examples': examplesOf([{ summary: 'Dialect nexi', value: nexi }]) }),
  };
  return { description, headers, content: { [mediaType]: media } };
}

function refusedWith(status: number, all: readonly Refused[], keyed: boolean, schema: Schema): Response {
  const refused = all.filter((each) => each.status === status);
  const inBoth = refused.filter(({ onlyNexi }) => onlyNexi !== true);
  const inNexi = refused.filter(({ onlyNexi }) => onlyNexi === true);
  // Where only one dialect answers so, its examples are the only ones.
  const isNexiOnly = inBoth.length === 0;
  const description = `${DESCRIPTIONS[status] ?? ''}${isNexiOnly ? ' Only in the dialect `nexi`.' : ''}`;
  const media: Media = {
    schema,
    examples: examplesOf(isNexiOnly ? inNexi : inBoth),
    ...(!isNexiOnly && inNexi.length > 0 && { 'x-nexi-examples': examplesOf(inNexi) }),
  };
  const headers = {
    ...REQUEST_ID,
    ...(keyed && REPLAYED),
    ...(status === 405 && { Allow: refTo('headers', 'Allow') }),
  };
  return { description, headers, content: { [JSON_TYPE]: media } };
}

/** An answer that all share, with what leads to it in this operation alone. */
function sharedWith(status: number, shared: Response, refused: readonly Refused[]): Response {
  const [mediaType, media] = Object.entries(shared.content ?? {})[0] as [string, Media];
  const examples = { ...examplesOf(refused.filter((each) => each.status === status)), ...media.examples };
  const description = DESCRIPTIONS[status] ?? shared.description;
  return { ...shared, description, content: { [mediaType]: { ...media, examples } } };
}

/** The statuses that follow from what a route is. */
function sharedStatuses(path: string, method: string, { needsKey, keyed }: Traits): number[] {
  if (!needsKey) return [];
  return [
    401,
    403,
    ...(path.includes('{') ? [404] : []),
    ...(keyed ? [409, 422] : []),
    ...(method === 'get' ? [] : [413, 415]),
    429,
    500,
    503,
  ];
}

function responsesOf(path: string, method: string, doc: OperationDoc, traits: Traits): Record<string, Response | Ref> {
  const { refused = [], success } = doc;
  const shared = sharedStatuses(path, method, traits);
  const own = [...new Set(refused.map(({ status }) => status))];
  const responses: Record<string, Response | Ref> = { [success.status]: successOf(doc, traits.keyed) };
  for (const status of [...own, ...shared].toSorted((a, b) => a - b)) {
    const common = SHARED_ANSWERS[status];
    if (common && shared.includes(status))
      responses[status] = own.includes(status)
        ? sharedWith(status, common.response, refused)
        : refTo('responses', common.name);
    else {
      const schema = traits.needsKey ? schemaOfStatus(status) : (success.schema as Schema);
      responses[status] = refusedWith(status, refused, traits.keyed, schema);
    }
  }
  return responses;
}

function parametersOf(path: string, made: Made, doc: OperationDoc): (Parameter | Ref)[] {
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => refTo('parameters', name as string));
  const inQuery = ((made.parameters ?? []) as Parameter[])
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({ ...parameter, ...doc.query?.[parameter.name] }));
  return [
    ...inPath,
    ...(made[TRAITS].keyed ? [refTo('parameters', 'IdempotencyKey')] : []),
    ...(doc.header === undefined ? [] : [refTo('parameters', doc.header)]),
    ...inQuery,
  ];
}

function completeOperation(path: string, method: string, made: Made): Operation {
  const { operationId, requestBody, [TRAITS]: traits } = made;
  const doc = OPERATIONS[operationId];
  if (doc === undefined) throw new Error(`${method} ${path} has no documentation: ${operationId}`);
  const parameters = parametersOf(path, made, doc);
  return {
    operationId,
    summary: doc.summary,
    description: doc.description,
    tags: [doc.tag],
    security: traits.needsKey ? [{ SecretKey: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && {
      requestBody: {
        required: !traits.bodyOptional,
        content: mapValues(requestBody.content, (media) => ({ ...media, examples: examplesOf(doc.requests ?? []) })),
      },
    }),
    responses: responsesOf(path, method, doc, traits),
  };
}

const publishContent = (content: Readonly<Record<string, Media>>, names: SchemaNames): Record<string, Media> =>
  mapValues(content, (media) => ({ ...media, schema: names.publish(media.schema) }));

function publishResponse(response: Response | Ref, names: SchemaNames): Response | Ref {
  if ('$ref' in response || response.content === undefined) return response;
  return { ...response, content: publishContent(response.content, names) };
}

function publishOperation(operation: Operation, names: SchemaNames): Operation {
  const { parameters, requestBody, responses } = operation;
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) => ('$ref' in one ? one : { ...one, schema: names.publish(one.schema) })),
    }),
    ...(requestBody && { requestBody: { ...requestBody, content: publishContent(requestBody.content, names) } }),
    responses: mapValues(responses, (response) => publishResponse(response, names)),
  };
}

/** In the order of the documentation, a path where its first operation stands. */
function sortPaths(paths: Document['paths']): Document['paths'] {
  const ranks = Object.keys(OPERATIONS);
  const rankOf = (operations: Readonly<Record<string, Operation>>): number =>
    Math.min(...Object.values(operations).map(({ operationId }) => ranks.indexOf(operationId)));
  return Object.fromEntries(Object.entries(paths).toSorted(([, a], [, b]) => rankOf(a) - rankOf(b)));
}

function complete(made: Unserved): Unserved {
  const names = new SchemaNames();
  const completed = Object.entries(sortPaths(made.paths)).map(([path, operations]) => {
    const entries = Object.entries(operations).map(([method, operation]) => {
      const whole = completeOperation(path, method, operation as Made);
      return [method, publishOperation(whole, names)] as const;
    });
    return [path, Object.fromEntries(entries)] as const;
  });
  const webhooks = mapValues(describeWebhooks(), ({ post }) => ({ post: publishOperation(post, names) }));
  const responses = Object.values(SHARED_ANSWERS).map(
    ({ name, response }) => [name, publishResponse(response, names) as Response] as const,
  );
  const components: Components = {
    securitySchemes: SECURITY_SCHEMES,
    parameters: PARAMETERS,
    headers: HEADERS,
    responses: Object.fromEntries(responses),
    schemas: names.schemas,
  };
  return { ...made, paths: Object.fromEntries(completed), webhooks, components };
}

/** The description of a service that is reached under an address. */
export function documentOf(app: FastifyInstance, publicUrl: string): Document {
  const { openapi, info, tags, paths, webhooks, components } = complete(app.swagger() as unknown as Unserved);
  return { openapi, info, servers: [{ url: publicUrl }], tags, paths, webhooks, components };
}
