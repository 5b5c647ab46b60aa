// `kassa listen`: brings a test merchant's events from a Kassa, here or elsewhere, to an address of this machine, or shows
// them as they come. Needs no tunnel, since it is this side that connects.
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
    throw new UserError('--authorization must have 1 to 256 characters that a header can carry.');
  if (options['forward-to'] === undefined)
    throw new UserError(`--authorization is sent along with --forward-to, which is missing, for example: ${EXAMPLE}`);
  return authorization as string;
}

/** What is done with an event, and what is told of all of them in the end. */
type Taker = {
  readonly onEvent: (event: StreamedEvent) => Promise<void>;
  sum(): string;
  close(): void;
};

function openShowing(isJson: boolean): Taker {
  let count = 0;
  return {
    onEvent: async (event) => {
      count += 1;
      print(isJson ? event.data : showEvent(event));
    },
    sum: () => `${countOf(count, 'event')} shown.`,
    close: () => {},
  };
}

type Forwarding = { readonly url: string; readonly secret: string; readonly authorization: string | undefined };

function openForwarding(forwarding: Forwarding, isJson: boolean): Taker {
  const { url } = forwarding;
  const counts = { taken: 0, others: 0 };
  let isSomebodyThere = true;
  const onForwarded = ({ event, sent }: Forwarded): void => {
    counts[isTaken(sent) ? 'taken' : 'others'] += 1;
    if (isJson) print(event.data);
    (isJson ? remark : print)(showEvent(event, sent));
    const isRefused = sent.error === 'connection refused';
    if (isRefused && isSomebodyThere) remark(`Nobody listens at ${url}: start your shop there.`);
    isSomebodyThere = !isRefused;
  };
  const forwarder = openForwarder({ ...forwarding, onForwarded });
  const sum = (): string =>
    `${countOf(counts.taken + counts.others, 'event')} forwarded: ${counts.taken} taken, ${counts.others} not.`;
  return { onEvent: forwarder.forward, sum, close: () => forwarder.close() };
}

type Listening = {
  readonly api: Api;
  readonly names: ReturnType<typeof readEventNames>;
  readonly after: string | undefined;
  readonly banner: () => void;
  readonly taker: Taker;
};

/** Until it is asked to end. */
async function listen({ api, names, after, banner, taker }: Listening): Promise<void> {
  const shutdown = listenForShutdown(() => {});
  const enough = new AbortController();
  void shutdown.requested.then(() => enough.abort());
  let wasOpen = false;
  const onOpen = (): void => {
    if (wasOpen) remark(`Connected again to ${api.url}.`);
    else banner();
    wasOpen = true;
  };
  const onBroken = (why: string): void =>
    remark(`The stream of ${api.url} broke (${why}). Trying again, until it is back or Ctrl-C.`);
  try {
    await followEvents(api, { names, after, signal: enough.signal, onEvent: taker.onEvent, onOpen, onBroken });
  } finally {
    taker.close();
    shutdown.forget();
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
  remark(taker.sum());
}

export const listenCommand: Command = {
  usage: '[--forward-to URL] [OPTIONS]',
  more: [
    'Events come from now on, signed as those of a webhook, and each is sent once; a line tells what was answered.',
    'When the connection to Kassa breaks it is made again, and what happened meanwhile comes then.',
  ].join('\n'),
  options: {
    'forward-to': {
      type: 'string',
      value: 'URL',
      what: 'Where to send them, such as http://localhost:3000/hook, or 3000; without it they are shown.',
    },
    events: { type: 'string', value: 'NAMES', what: 'Which events, with commas between them; all by default.' },
    after: { type: 'string', value: 'EVENT', what: 'Begin after this event, by its id, in place of now.' },
    authorization: {
      type: 'string',
      value: 'TEXT',
      what: "An Authorization header to send along, as payments' hooks do.",
    },
    json: { ...JSON_OPTION, what: "Print the events' bodies alone, as JSON, one on each line." },
    ...API_OPTIONS,
  },
  run: async ({ config, options }) => {
    await run(config, options);
    return 0;
  },
};
