// The API as a command asks it, here or on another machine: where it is, with whose key, and what its answers mean to
// the person at the keyboard. Only a test merchant's key is taken by commands that play with payments.
import { describeFault } from '../../events/endpoint-answer.ts';
import { readKey } from '../../server/auth.ts';
import type { Config } from '../../config.ts';
import { actAsOwner } from '../../folders/owner.ts';
import { findAddress } from '../../start/address-file.ts';
import { localUrlOf } from '../../start/banner.ts';
import { UserError } from '../../ops/user-error.ts';
import type { Option, Options } from '../terminal/command.ts';
import { readSandbox } from '../../start/sandbox.ts';

export const API_OPTIONS: Readonly<Record<'url' | 'key', Option>> = {
  url: {
    type: 'string',
    value: 'KASSA',
    what: 'Where Kassa is; by default that of KASSA_DATA_DIR, else at HOST and PORT.',
  },
  key: {
    type: 'string',
    value: 'SECRET_KEY',
    what: "The merchant's key; by default that of KASSA_CLI_KEY, else the sandbox's.",
  },
};

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into field by field
type Json = any;

export type ApiAnswer = {
  readonly status: number;
  readonly body: Json;
  /** The answer that an idempotency key was given before. */
  readonly isReplayed: boolean;
};

export type Api = {
  readonly url: string;
  /** The digits of the key. */
  readonly digits: string;
  send(method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>;
  /** Opens a stream of events, whose headers have to come in time; throws what came instead. */
  open(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>;
  /** An answer that nobody expected, as a sentence. */
  explain(answer: ApiAnswer): ApiRefused;
};

/** Kassa was not reached: it may be later. */
export class ApiAway extends UserError {}

/** Kassa answered, and not as was hoped. */
export class ApiRefused extends UserError {
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

const TIMEOUT_MS = 30_000;
const LONGEST_TEXT = 300;
const REPLAYED =
  'This is the answer to an earlier request with this idempotency key; nothing was tried again. A new try needs a new key.';

function readUrl(config: Config, { url }: Options): string {
  if (url === undefined) {
    const found = findAddress(config.dataDir);
    if (found !== undefined) return found;
    if (config.port === 0) throw new UserError('PORT is 0, so nobody knows where Kassa listens: name it with --url.');
    return localUrlOf(config.host, config.port);
  }
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  const isPlain = parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.search + parsed.hash === '';
  if (!isPlain || parsed.username !== '' || parsed.password !== '')
    throw new UserError('--url must be a plain http or https address, for example http://localhost:8080.');
  // The banner names the API with its version.
  return parsed.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}

type Key = { readonly mode: string | undefined; readonly digits: string; readonly of: string };

function readSecretKey({ cliKey, dataDir }: Config, { key }: Options, mayBeLive: boolean): Key {
  const given = typeof key === 'string' ? key : cliKey;
  const of = typeof key === 'string' ? '--key' : cliKey === undefined ? `${dataDir}/sandbox.json` : 'KASSA_CLI_KEY';
  const text = given ?? readSandbox(dataDir)?.secretKey;
  if (text === undefined)
    throw new UserError(
      `There is no sandbox in ${dataDir}; give a test merchant's key in KASSA_CLI_KEY or --key, or start Kassa with npm start.`,
    );
  const read = readKey(text);
  if (read === undefined)
    throw new UserError(`The key of ${of} is not a secret key; give it as kassa key create prints it.`);
  if (read.mode === 'live' && !mayBeLive)
    throw new UserError(`The key of ${of} is a live one; this is for test merchants only.`);
  return { ...read, of };
}

/** What an answer says went wrong, in whichever of the API's forms. */
function textOf({ body }: ApiAnswer): string {
  const errors = Object.entries((body?.errors ?? {}) as Record<string, unknown>);
  const said = errors.map(([field, texts]) => `${field} ${[texts].flat().join(', ')}`).join('; ');
  const text = String(body?.message || said || '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, LONGEST_TEXT);
  return text === '' ? '' : `: ${text.replace(/\.$/, '')}`;
}

/** Whether an answer is such as Kassa gives to what these commands ask: an object, or nothing. */
function isOfKassa({ status, body }: Pick<ApiAnswer, 'status' | 'body'>, text: string, isNamed: boolean): boolean {
  // A proxy may say in place of Kassa that it is away, or asked too often.
  if (status === 429 || status >= 500) return true;
  if (status === 401 || status === 204) return text === '';
  // What is not there is an empty answer; only the id of the request tells it from anybody else's.
  if (status === 404) return text === '' && isNamed;
  return typeof body === 'object' && body !== null && !isElsewhere(status);
}

/** Kassa sends nobody to another address, and has all that these commands ask for. */
const isElsewhere = (status: number): boolean => (status >= 300 && status < 400) || status === 404;

function readBody(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `live`: whether a live merchant's key is taken as well. */
export async function openApi(
  config: Config,
  options: Options,
  { live = false }: { readonly live?: boolean } = {},
): Promise<Api> {
  // The folder's owner can read the sandbox's key in it; without one, the folder is no matter.
  if (options['key'] === undefined && config.cliKey === undefined) actAsOwner(config.dataDir);
  const url = readUrl(config, options);
  const { mode, digits, of } = readSecretKey(config, options, live);
  // With the mode, so that the digits of a live merchant's key are refused where they are not meant.
  const authorization = live
    ? `${mode === undefined ? '' : `${mode}-secret-key-`}${digits}`
    : `test-secret-key-${digits}`;

  const ask = (path: string, request: RequestInit): Promise<Response> =>
    fetch(url + path, { ...request, redirect: 'manual' }).catch((error: Error) => {
      const isLate = error.name === 'TimeoutError';
      const fault = isLate ? 'no answer in time' : describeFault((error.cause ?? error) as NodeJS.ErrnoException);
      throw new ApiAway(
        `No Kassa answers at ${url} (${fault}): start one with kassa serve, or name another with --url.`,
      );
    });

  const explain = (answer: ApiAnswer): ApiRefused => {
    const { status } = answer;
    if (status === 401)
      return new ApiRefused(
        `The Kassa at ${url} has no ${live ? '' : 'test '}merchant with the key of ${of}: give another.`,
        status,
      );
    if (status < 400 || isElsewhere(status)) return explainForeign(status);
    const again = answer.isReplayed ? ` ${REPLAYED}` : '';
    return new ApiRefused(`The Kassa at ${url} answered ${status}${textOf(answer)}.${again}`, status);
  };

  const explainForeign = (status: number): ApiRefused =>
    new ApiRefused(`What answers at ${url} is no Kassa (its answer is ${status}): name one with --url.`, status);

  async function read(response: Response): Promise<ApiAnswer> {
    const text = await response.text();
    const { status, headers } = response;
    const answer = { status, body: readBody(text), isReplayed: headers.has('idempotent-replayed') };
    if (!isOfKassa(answer, text, headers.has('x-request-id'))) throw explainForeign(answer.status);
    return answer;
  }

  return {
    url,
    digits,
    send: async (method, path, body, headers) => {
      const response = await ask(path, {
        method,
        headers: { ...headers, authorization, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return read(response);
    },
    open: async (path, headers, signal) => {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), TIMEOUT_MS);
      try {
        const response = await ask(path, {
          headers: { authorization, accept: 'text/event-stream', ...headers },
          signal: AbortSignal.any([signal, late.signal]),
        });
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
        if (response.status !== 200 || !isStream) throw explain(await read(response));
        return response;
      } finally {
        clearTimeout(timer);
      }
    },
    explain,
  };
}
