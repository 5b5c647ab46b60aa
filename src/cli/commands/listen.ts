// `kassa listen`: forwards a test merchant's events from a local or remote Kassa to an address on this machine, or prints
// them. It needs no tunnel, since this side connects.
import { refuseUrl } from '../../events/addresses.ts';
import type { Config } from '../../config.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { countOf, JSON_OPTION } from '../terminal/command.ts';
import type { Command, Options } from '../terminal/command.ts';
import { API_OPTIONS, openApi } from '../api/client.ts';
import type { Api } from '../api/client.ts';
import { listenForShutdown } from '../../start/signals.ts';
import { readEventNames, readIdArgument } from './event-arguments.ts';
import { followEvents } from '../api/event-stream.ts';
import type { StreamedEvent } from '../api/event-stream.ts';
import { openForwarder, secretOf } from '../api/forwarder.ts';
import type { Forwarded } from '../api/forwarder.ts';
import { bannerOf, isTaken, showEvent } from './listen-text.ts';

const EXAMPLE = 'kassa listen --forward-to http://localhost:3000/hook';
const AUTHORIZATION = /^[\x20-\x7e]{1,256}$/;

/** People write 3000, or localhost:3000/hook. */
function completeUrl(given: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) return given;
  return `http://${given.replace(/^:?(?=\d{1,5}(?:\/|$))/, 'localhost:')}`;
}

function readForwardTo(options: Options): string | undefined {
  const given = options['forward-to'];
  if (typeof given !== 'string') return undefined;
  const url = completeUrl(given);
  const refusal = refuseUrl(url, 'home');
  if (refusal !== undefined) throw new UserError(`--forward-to ${refusal}, for example: ${EXAMPLE}`);
  return new URL(url).href;
}

function readAuthorization(options: Options): string | undefined {
  const { authorization } = options;
  if (authorization === undefined) return undefined;
  // Not repeated: it is a secret.
  if (!AUTHORIZATION.test(String(authorization)))
    throw new UserError('--authorization must have 1 to 256 printable ASCII characters.');
  if (options['forward-to'] === undefined)
    throw new UserError(`--authorization needs --forward-to, for example: ${EXAMPLE}`);
  return authorization as string;
}

/** What to do with an event, and the summary at the end. */
type Taker = {
  readonly onEvent: (event: StreamedEvent) => Promise<void>;
  summary(): string;
  close(): void;
};

function openShowing(isJson: boolean): Taker {
  let count = 0;
  return {
    onEvent: async (event) => {
      count += 1;
      print(isJson ? event.data : showEvent(event));
    },
    summary: () => `${countOf(count, 'event')} shown.`,
    close: () => {},
  };
}

type Forwarding = { readonly url: string; readonly secret: string; readonly authorization: string | undefined };

function openForwarding(forwarding: Forwarding, isJson: boolean): Taker {
  const { url } = forwarding;
  const counts = { taken: 0, others: 0 };
  let isListening = true;
  const onForwarded = ({ event, sent }: Forwarded): void => {
    counts[isTaken(sent) ? 'taken' : 'others'] += 1;
    if (isJson) print(event.data);
    (isJson ? remark : print)(showEvent(event, sent));
    const isRefused = sent.error === 'connection refused';
    if (isRefused && isListening) remark(`Nothing is listening at ${url}: start your shop there.`);
    isListening = !isRefused;
  };
  const forwarder = openForwarder({ ...forwarding, onForwarded });
  const summary = (): string =>
    `${countOf(counts.taken + counts.others, 'event')} forwarded: ${counts.taken} accepted, ${counts.others} failed.`;
  return { onEvent: forwarder.forward, summary, close: () => forwarder.close() };
}

type Listening = {
  readonly api: Api;
  readonly names: ReturnType<typeof readEventNames>;
  readonly after: string | undefined;
  readonly banner: () => void;
  readonly taker: Taker;
};

/** Runs until shutdown is requested. */
async function listen({ api, names, after, banner, taker }: Listening): Promise<void> {
  const shutdown = listenForShutdown(() => {});
  const enough = new AbortController();
  void shutdown.requested.then(() => enough.abort());
  let wasOpen = false;
  const onOpen = (): void => {
    if (wasOpen) remark(`Reconnected to ${api.url}.`);
    else banner();
    wasOpen = true;
  };
  const onBroken = (why: string): void =>
    remark(`Lost the stream from ${api.url} (${why}). Reconnecting; Ctrl-C stops.`);
  try {
    await followEvents(api, { names, after, signal: enough.signal, onEvent: taker.onEvent, onOpen, onBroken });
  } finally {
    taker.close();
    shutdown.stopListening();
  }
  const { fault } = await shutdown.requested;
  if (fault) throw fault;
}

async function run(config: Config, options: Options): Promise<void> {
  const url = readForwardTo(options);
  const authorization = readAuthorization(options);
  const names = readEventNames(options['events'] as string | undefined);
  const { after } = options as { after?: string };
  const afterId = after === undefined ? undefined : readIdArgument(after, '--after', 'event');
  const isJson = options['json'] === true;
  const api = await openApi(config, options);
  const to = url === undefined ? undefined : { url, secret: secretOf(api.digits) };
  const taker = to ? openForwarding({ ...to, authorization }, isJson) : openShowing(isJson);
  const banner = (): void => {
    const events = names?.join(', ') ?? 'all';
    const text = bannerOf({ from: api.url, isNamed: options['url'] !== undefined, events, ...(to && { to }) });
    (isJson ? remark : print)(text);
  };
  await listen({ api, names, after: afterId, banner, taker });
  remark(taker.summary());
}

export const listenCommand: Command = {
  usage: '[--forward-to URL] [OPTIONS]',
  more: [
    'Forwards events from now on, signed like those of a webhook. Each is sent once, and a line shows the response.',
    'If the connection to Kassa breaks, it reconnects and catches up.',
  ].join('\n'),
  options: {
    'forward-to': {
      type: 'string',
      value: 'URL',
      what: 'Where to send them, such as http://localhost:3000/hook, or 3000. Default: print them.',
    },
    events: { type: 'string', value: 'NAMES', what: 'Events, separated by commas. Default: all.' },
    after: { type: 'string', value: 'EVENT', what: 'Start after the event with this id instead of now.' },
    authorization: {
      type: 'string',
      value: 'TEXT',
      what: 'An Authorization header to send, as the hooks of a payment do.',
    },
    json: { ...JSON_OPTION, what: 'Print only the event bodies, as one line of JSON each.' },
    ...API_OPTIONS,
  },
  run: async ({ config, options }) => {
    await run(config, options);
    return 0;
  },
};
