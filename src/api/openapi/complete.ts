// Builds the API description from its operations: paths, bodies and queries come from their routes, the rest from the
// documentation of each operation and the requirements of its route.
import type { Described, Refused } from '../operation.ts';
import { OPERATIONS } from '../operations.ts';
import { mapValues, SchemaNames } from './components.ts';
import type { Document, Media, Operation, Parameter, Ref, Response, Schema } from './document.ts';
import { INFO, TAGS } from './info.ts';
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
import { describeWebhooks } from './webhooks.ts';

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is wrong in itself, or asks for more than there is.',
  402: 'The money cannot be moved.',
  405: 'The state of the payment does not allow it, or the method is wrong.',
  500: 'The outcome is not known yet, or something is wrong with the service; its log knows this request by its id.',
  503: 'The service cannot take requests now.',
};

const REPLAYED = { 'Idempotent-Replayed': refTo('headers', 'IdempotentReplayed') };

function successOf({ success, config }: Described): Response {
  const { description, schema, mediaType = JSON_TYPE, examples = {}, nexi } = success;
  const keyed = config?.keyed ?? false;
  const headers = { ...REQUEST_ID, ...(keyed && REPLAYED) };
  if (schema === undefined) return { description: `${description} No body.`, headers };
  const media: Media = {
    schema,
    examples: examplesOf(examples),
    ...(nexi !== undefined && { 'x-nexi-examples': examplesOf({ 'Dialect nexi': nexi }) }),
  };
  return { description, headers, content: { [mediaType]: media } };
}

const refusalsOf = (refused: readonly Refused[]) =>
  examplesOf(Object.fromEntries(refused.map(({ summary, value }) => [summary, value])));

function refusedWith(status: number, all: readonly Refused[], keyed: boolean, schema: Schema): Response {
  const refused = all.filter((each) => each.status === status);
  const inBoth = refused.filter(({ onlyNexi }) => onlyNexi !== true);
  const inNexi = refused.filter(({ onlyNexi }) => onlyNexi === true);
  // If only one dialect answers so, its examples are the only ones.
  const isNexiOnly = inBoth.length === 0;
  const description = `${DESCRIPTIONS[status] ?? ''}${isNexiOnly ? ' Only in the dialect `nexi`.' : ''}`;
  const media: Media = {
    schema,
    examples: refusalsOf(isNexiOnly ? inNexi : inBoth),
    ...(!isNexiOnly && inNexi.length > 0 && { 'x-nexi-examples': refusalsOf(inNexi) }),
  };
  const headers = {
    ...REQUEST_ID,
    ...(keyed && REPLAYED),
    ...(status === 405 && { Allow: refTo('headers', 'Allow') }),
  };
  return { description, headers, content: { [JSON_TYPE]: media } };
}

/** A shared response, with the causes that are specific to this operation. */
function sharedWith(status: number, shared: Response, refused: readonly Refused[]): Response {
  const [mediaType, media] = Object.entries(shared.content ?? {})[0] as [string, Media];
  const examples = { ...refusalsOf(refused.filter((each) => each.status === status)), ...media.examples };
  const description = DESCRIPTIONS[status] ?? shared.description;
  return { ...shared, description, content: { [mediaType]: { ...media, examples } } };
}

/** The statuses that follow from the kind of route. */
function sharedStatuses({ route, scope, config }: Described): number[] {
  if (scope === undefined) return [];
  return [
    401,
    403,
    ...(route.includes(':') ? [404] : []),
    ...(config?.keyed ? [409, 422] : []),
    ...(route.startsWith('GET') ? [] : [413, 415]),
    429,
    500,
    503,
  ];
}

function responsesOf(described: Described): Record<string, Response | Ref> {
  const { scope, config: { keyed = false } = {}, refused = [], success } = described;
  const shared = sharedStatuses(described);
  const own = [...new Set(refused.map(({ status }) => status))];
  const responses: Record<string, Response | Ref> = { [success.status]: successOf(described) };
  for (const status of [...own, ...shared].toSorted((a, b) => a - b)) {
    const common = SHARED_ANSWERS[status];
    if (common && shared.includes(status))
      responses[status] = own.includes(status)
        ? sharedWith(status, common.response, refused)
        : refTo('responses', common.name);
    else {
      const schema = scope === undefined ? (success.schema as Schema) : schemaOfStatus(status);
      responses[status] = refusedWith(status, refused, keyed, schema);
    }
  }
  return responses;
}

function parametersOf({ route, query, config, header, parameters }: Described): (Parameter | Ref)[] {
  const inPath = Array.from(route.matchAll(/:(\w+)/g), ([, name]) => refTo('parameters', name as string));
  const inQuery = Object.entries((query?.properties ?? {}) as Record<string, Schema>).map(
    ([name, { description = '', ...schema }]): Parameter => ({
      schema,
      in: 'query',
      name,
      required: query?.required?.includes(name) ?? false,
      description,
      ...parameters?.[name],
    }),
  );
  return [
    ...inPath,
    ...(config?.keyed ? [refTo('parameters', 'IdempotencyKey')] : []),
    ...(header === undefined ? [] : [refTo('parameters', header)]),
    ...inQuery,
  ];
}

function describeOperation(described: Described): Operation {
  const { operationId, summary, description, tag, scope, body, config, requests = {} } = described;
  const parameters = parametersOf(described);
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: scope === undefined ? [] : [{ SecretKey: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: config?.bodyOptional !== true,
        content: { [JSON_TYPE]: { schema: body, examples: examplesOf(requests) } },
      },
    }),
    responses: responsesOf(described),
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

/** The description for a service at this URL. */
export function documentOf(publicUrl: string): Document {
  const names = new SchemaNames();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const described of [...OPERATIONS, ...SERVICE_OPERATIONS]) {
    const [method, path] = described.route.replaceAll(/:(\w+)/g, '{$1}').split(' ') as [string, string];
    const whole = publishOperation(describeOperation(described), names);
    paths[path] = { ...paths[path], [method.toLowerCase()]: whole };
  }
  const webhooks = mapValues(describeWebhooks(), ({ post }) => ({ post: publishOperation(post, names) }));
  const responses = Object.values(SHARED_ANSWERS).map(
    ({ name, response }) => [name, publishResponse(response, names) as Response] as const,
  );
  const components = {
    securitySchemes: SECURITY_SCHEMES,
    parameters: PARAMETERS,
    headers: HEADERS,
    responses: Object.fromEntries(responses),
    schemas: names.schemas,
  };
  return { openapi: '3.1.0', info: INFO, servers: [{ url: publicUrl }], tags: TAGS, paths, webhooks, components };
}
