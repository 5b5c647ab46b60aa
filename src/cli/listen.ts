// `kassa listen`: brings a test merchant's events from a Kassa, here or elsewhere, to an address of this machine. Needs
// no tunnel, since it is this side that connects.
import { refuseUrl } from '../events/addresses.ts';
import { alignRows, countOf, print, remark, UserError } from './command.ts';
import type { Command, Options } from './command.ts';
import { API_OPTIONS, openApi } from './api.ts';
import { awaitEnding } from './ending.ts';
import { readEventNames } from './event-arguments.ts';
import { EVENT_NAMES } from './event-lives.ts';
import { followEvents } from './event-stream.ts';
import { openForwarder, secretOf } from './forwarder.ts';
import type { Forwarded } from './forwarder.ts';

const EXAMPLE = 'kassa listen --forward-to http://localhost:3000/hook';
const AUTHORIZATION = /^[\x20-\x7e]{1,256}$/;
const NAME_WIDTH = Math.max(...EVENT_NAMES.map((name) => name.length));

function readForwardTo(options: Options): string {
  const given = options['forward-to'];
  if (typeof given !== 'string') throw new UserError(`--forward-to is missing, for example: ${EXAMPLE}`);
  // People write localhost:3000/hook.
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  const refusal = refuseUrl(url, false);
  if (refusal !== undefined) throw new UserError(`--forward-to ${refusal}, for example: ${EXAMPLE}`);
  return new URL(url).href;
}

function readAuthorization({ authorization }: Options): string | undefined {
  if (authorization === undefined || AUTHORIZATION.test(String(authorization)))
    return authorization as string | undefined;
  // Not repeated: it is a secret.
  throw new UserError('--authorization must have 1 to 256 characters that a header can carry.');
}

/** As wide as the longest name, so that lines stand below each other. */
function showForwarded({ event, subject, sent }: Forwarded): string {
  const answer = [sent.status, sent.error].filter((part) => part !== undefined).join(', ');
  const at = new Date().toISOString().slice(11, 19);
  return [at, event.name.padEnd(NAME_WIDTH), subject, answer, `${sent.ms} ms`].join('  ');
}

const isTaken = ({ sent }: Forwarded): boolean =>
  sent.error === undefined && sent.status !== undefined && sent.status >= 200 && sent.status < 300;

type Told = { readonly from: string; readonly to: string; readonly events: string; readonly secret: string };

const bannerOf = ({ from, to, events, secret }: Told): string =>
  [
    '',
    'Kassa is listening. Ctrl-C ends it.',
    '',
    alignRows([
      ['From', from],
      ['To', to],
      ['Events', events],
      ['Secret', secret],
    ]),
    '',
    'Verify signatures with that secret; it stays the same for this key. Make something happen, in another shell:',
    '',
    '  npx kassa trigger payment.charge.created',
    '',
  ].join('\n');

export const listenCommand: Command = {
  name: 'listen',
  summary: "Bring a test merchant's events to an address of this machine, as they happen.",
  usage: '--forward-to URL [OPTIONS]',
  more: [
    'Events come from now on, signed as those of a webhook, and each is sent once; a line tells what was answered.',
    'When the connection to Kassa breaks it is made again, and what happened meanwhile comes then.',
  ].join('\n'),
  options: {
    'forward-to': { type: 'string', value: 'URL', what: 'Where to send them, such as http://localhost:3000/hook.' },
    events: { type: 'string', value: 'NAMES', what: 'Which events, with commas between them; all by default.' },
    authorization: {
      type: 'string',
      value: 'TEXT',
      what: "An Authorization header to send along, as payments' hooks do.",
    },
    ...API_OPTIONS,
  },
  run: async ({ config, options }) => {
    const url = readForwardTo(options);
    const names = readEventNames(options['events'] as string | undefined);
    const authorization = readAuthorization(options);
    const api = await openApi(config, options);
    const secret = secretOf(api.digits);
    const counts = { taken: 0, others: 0 };
    let isSomebodyThere = true;
    const onForwarded = (forwarded: Forwarded): void => {
      counts[isTaken(forwarded) ? 'taken' : 'others'] += 1;
      print(showForwarded(forwarded));
      const isRefused = forwarded.sent.error === 'connection refused';
      if (isRefused && isSomebodyThere) remark(`Nobody listens at ${url}: start your shop there.`);
      isSomebodyThere = !isRefused;
    };
    const forwarder = openForwarder({ url, secret, authorization, onForwarded });
    const endings = awaitEnding(() => {});
    const enough = new AbortController();
    void endings.asked.then(() => enough.abort());
    let wasOpen = false;
    const onOpen = (): void => {
      if (wasOpen) remark(`Connected again to ${api.url}.`);
      else print(bannerOf({ from: api.url, to: url, events: names?.join(', ') ?? 'all', secret }));
      wasOpen = true;
    };
    const onBroken = (why: string): void =>
      remark(`The stream of ${api.url} broke (${why}). Trying again, until it is back or Ctrl-C.`);
    try {
      const onEvent = forwarder.forward;
      await followEvents(api, { names, signal: enough.signal, onEvent, onOpen, onBroken });
    } finally {
      forwarder.close();
      endings.forget();
    }
    const { fault } = await endings.asked;
    if (fault) throw fault;
    const { taken, others } = counts;
    remark(`${countOf(taken + others, 'event')} forwarded: ${taken} taken, ${others} not.`);
    return 0;
  },
};
