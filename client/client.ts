// `kassa/client`: every operation of the API as a function, with its types; what webhooks are verified with; and the name
// of everything that can go wrong. It needs fetch and WebCrypto and nothing else, so it runs wherever these are.
import type { KeyedOptions, Row } from './call.ts';
import { operations } from './generated/api.ts';
import type { Event, Operations, StreamEventsQuery } from './generated/api.ts';
import { KassaError } from './kassa-error.ts';
import { pagesOf } from './pages.ts';
import { send } from './send.ts';
import type { ClientOptions } from './send.ts';
import { streamEvents } from './stream.ts';
import { WebhookRejected, WebhookSecretMissing, verifyWebhook } from './webhook.ts';

// oxlint-disable-next-line oxc/no-barrel-file -- they are types, and shops know of one file
export type * from './generated/api.ts';
export type { CallOptions, KeyedOptions, Pages } from './call.ts';
export type { KassaErrorName } from './kassa-error.ts';
export type { ClientOptions } from './send.ts';
export type { VerifyOptions, WebhookHeaders, WebhookPing } from './webhook.ts';
export { KassaError, WebhookRejected, WebhookSecretMissing, verifyWebhook };

export type EventName = Event['event'];
/** An event by its name. */
export type EventOf<Name extends EventName> = Extract<Event, { readonly event: Name }>;
export type Client = Operations;

const PARAMETER = /\{\w+\}/g;

function callOf(client: ClientOptions, operation: string, row: Row): (...args: unknown[]) => unknown {
  const [method, template, takes, isKeyed, pages] = row;
  const count = template.match(PARAMETER)?.length ?? 0;
  return (...args) => {
    const [ids, rest] = [args.slice(0, count), args.slice(count)];
    const given = takes === '' ? undefined : (rest[0] as object | undefined);
    const options = rest[takes === '' ? 0 : 1] as KeyedOptions | undefined;
    const path = template.replace(PARAMETER, () => {
      const id = ids.shift();
      // Without it, another address would be asked for.
      if (typeof id !== 'string' || id === '')
        throw new TypeError(`${operation} needs ${count} id${count > 1 ? 's' : ''}`);
      return encodeURIComponent(id);
    });
    const call = { operation, method, path, isKeyed: isKeyed === 1, options };
    if (pages) return pagesOf(pages, { ...given }, (query) => send(client, { ...call, query }));
    return send(client, { ...call, ...(takes === 'query' ? { query: given } : { body: given }) });
  };
}

/** A client of one merchant at one Kassa. */
export function createClient(options: ClientOptions): Client {
  if (!/^https?:\/\//.test(options.url)) throw new TypeError('url must be an address such as https://pay.example.com');
  if (!options.secretKey) throw new TypeError('secretKey is missing');
  const calls = Object.entries(operations).map(([name, row]) => [name, callOf(options, name, row)]);
  const stream = (query?: StreamEventsQuery, more?: KeyedOptions): AsyncGenerator<Event> =>
    streamEvents(options, query, more);
  return { ...Object.fromEntries(calls), streamEvents: stream } as Client;
}
