// Types for the parts of an OpenAPI 3.1 document that we write and read.

export type Schema = {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

export type Example = { readonly summary: string; readonly value: unknown };

export type Media = {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
  readonly 'x-nexi-examples'?: Readonly<Record<string, Example>>;
};

export type Ref = { readonly $ref: string };

export type Header = { readonly description: string; readonly schema: Schema };

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
};

export type Response = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Ref>>;
  readonly content?: Readonly<Record<string, Media>>;
};

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response | Ref>>;
};

export type Components = {
  readonly securitySchemes: object;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly headers: Readonly<Record<string, Header>>;
  readonly responses: Readonly<Record<string, Response>>;
  readonly schemas: Readonly<Record<string, Schema>>;
};

export type Tag = { readonly name: string; readonly description: string };

export type Document = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** The requests that are sent to webhooks, by the name of the event. */
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: Components;
};

/** Resolves a reference to a component; anything else is returned unchanged. */
export function resolve<Part extends object>(document: Document, part: Part | Ref): Part {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as Part;
  const [, , kind, name] = part.$ref.split('/') as [string, string, keyof Components, string];
  const found = (document.components[kind] as Readonly<Record<string, Part>>)[name];
  if (found === undefined) throw new Error(`${part.$ref} leads nowhere`);
  return found;
}
