// The API client of commands, for a local or remote Kassa: its address, the key, and errors as readable messages. Commands
// that create test payments only accept a test key.
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
    what: 'Address of Kassa. Default: the one running on KASSA_DATA_DIR, else HOST and PORT.',
  },
  key: {
    type: 'string',
    value: 'SECRET_KEY',
    what: "The merchant's secret key. Default: KASSA_CLI_KEY, else the sandbox's key.",
  },
};

// oxlint-disable-next-line typescript/no-explicit-any -- responses are inspected field by field
type Json = any;

export type ApiAnswer = {
  readonly status: number;
  readonly body: Json;
  /** Whether this is the recorded response of an idempotency key. */
  readonly isReplayed: boolean;
};

export type Api = {
  readonly url: string;
  /** The digits of the key. */
  readonly digits: string;
  send(method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>;
  /** Opens an event stream; throws if the response is not a stream or its headers are late. */
  open(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>;
  /** An unexpected response, as an error. */
  explain(answer: ApiAnswer): ApiRefused;
};

/** Kassa could not be reached; a retry may succeed. */
export class ApiAway extends UserError {}

/** Kassa responded with an error. */
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
  'This is the response to an earlier request with this idempotency key; nothing was retried. A new attempt needs a new key.';

function readUrl(config: Config, { url }: Options): string {
  if (url === undefined) {
    const found = findAddress(config.dataDir);
    if (found !== undefined) return found;
    if (config.port === 0) throw new UserError('PORT is 0, so the address of Kassa is unknown: set it with --url.');
    return localUrlOf(config.host, config.port);
  }
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  const isPlain = parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.search + parsed.hash === '';
  if (!isPlain || parsed.username !== '' || parsed.password !== '')
    throw new UserError('--url must be a plain http or https address, for example http://localhost:8080.');
  // The banner shows the address of the API with /v1.
  return parsed.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}

type Key = { readonly mode: string | undefined; readonly digits: string; readonly of: string };

function readSecretKey({ cliKey, dataDir }: Config, { key }: Options, mayBeLive: boolean): Key {
  const given = typeof key === 'string' ? key : cliKey;
  const of = typeof key === 'string' ? '--key' : cliKey === undefined ? `${dataDir}/sandbox.json` : 'KASSA_CLI_KEY';
  const text = given ?? readSandbox(dataDir)?.secretKey;
  if (text === undefined)
    throw new UserError(
      `There is no sandbox in ${dataDir}; set a test key with KASSA_CLI_KEY or --key, or start Kassa with npm start.`,
    );
  const read = readKey(text);
  if (read === undefined)
    throw new UserError(`The key from ${of} is not a secret key; use one as printed by kassa key create.`);
  if (read.mode === 'live' && !mayBeLive)
    throw new UserError(`The key from ${of} is a live key; this command is only for test merchants.`);
  return { ...read, of };
}

/** The error message of a response, in any of the API's formats. */
function textOf({ body }: ApiAnswer): string {
  const errors = Object.entries((body?.errors ?? {}) as Record<string, unknown>);
  const said = errors.map(([field, texts]) => `${field} ${[texts].flat().join(', ')}`).join('; ');
  const text = String(body?.message || said || '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, LONGEST_TEXT);
  return text === '' ? '' : `: ${text.replace(/\.$/, '')}`;
}

/** Whether a response can be Kassa's: an object, or an empty body. */
function isOfKassa({ status, body }: Pick<ApiAnswer, 'status' | 'body'>, text: string, isNamed: boolean): boolean {
  // A proxy may send these statuses on behalf of Kassa.
  if (status === 429 || status >= 500) return true;
  if (status === 401 || status === 204) return text === '';
  // A 404 of Kassa is empty; only its request id tells it from that of another server.
  if (status === 404) return text === '' && isNamed;
  return typeof body === 'object' && body !== null && !isElsewhere(status);
}

/** Kassa never redirects, and has every route that these commands request. */
const isElsewhere = (status: number): boolean => (status >= 300 && status < 400) || status === 404;

function readBody(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `live`: whether a live key is accepted as well. */
export async function openApi(
  config: Config,
  options: Options,
  { live = false }: { readonly live?: boolean } = {},
): Promise<Api> {
  // Only the folder's owner can read the sandbox's key in it.
  if (options['key'] === undefined && config.cliKey === undefined) actAsOwner(config.dataDir);
  const url = readUrl(config, options);
  const { mode, digits, of } = readSecretKey(config, options, live);
  // With the mode, so that the digits of a live key are refused where only test keys are accepted.
  const authorization = live
    ? `${mode === undefined ? '' : `${mode}-secret-key-`}${digits}`
    : `test-secret-key-${digits}`;

  const ask = (path: string, request: RequestInit): Promise<Response> =>
    fetch(url + path, { ...request, redirect: 'manual' }).catch((error: Error) => {
      const isLate = error.name === 'TimeoutError';
      const fault = isLate ? 'timeout' : describeFault((error.cause ?? error) as NodeJS.ErrnoException);
      throw new ApiAway(
        `Cannot reach Kassa at ${url} (${fault}): start it with kassa serve, or set another address with --url.`,
      );
    });

  const explain = (answer: ApiAnswer): ApiRefused => {
    const { status } = answer;
    if (status === 401)
      return new ApiRefused(
        `Kassa at ${url} does not accept the key from ${of}${live ? '' : ' as a test key'}: use another one.`,
        status,
      );
    if (status < 400 || isElsewhere(status)) return explainForeign(status);
    const again = answer.isReplayed ? ` ${REPLAYED}` : '';
    return new ApiRefused(`Kassa at ${url} responded with ${status}${textOf(answer)}.${again}`, status);
  };

  const explainForeign = (status: number): ApiRefused =>
    new ApiRefused(
      `The server at ${url} is not Kassa (it responded with ${status}): set its address with --url.`,
      status,
    );

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
