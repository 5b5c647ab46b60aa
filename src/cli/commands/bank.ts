// `kassa bank`: a simulated acquirer as a separate server, with its own book and with faults on demand; `kassa bank book`
// prints that book. It is not part of the service, so it is configured by options.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BadField } from '../../bank/bad-field.ts';
import { describeFaults, FAULTS, LATENCY_EXAMPLES, readFaults } from '../../bank/faults.ts';
import type { Faults } from '../../bank/faults.ts';
import {
  bookFileIn,
  enterFolder,
  forgetAddress,
  keepKey,
  keyFileIn,
  lockFileIn,
  makeFolder,
  NoFolder,
} from '../../bank/folder.ts';
import { noteAddress, readAddress } from '../../bank/folder.ts';
import type { Book } from '../../bank/book.ts';
import type { HandledRequest } from '../../bank/app.ts';
import { tryExclusiveLock } from '../../database/folder-lock.ts';
import type { FolderLock } from '../../database/folder-lock.ts';
import { showAmount } from '../../domain/currency.ts';
import { readAcquirerKey } from './acquirer-key.ts';
import { localUrlOf } from '../../start/banner.ts';
import { alignRows, print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { countOf } from '../terminal/command.ts';
import { readPort } from '../terminal/port.ts';
import type { Command, Invocation, Option } from '../terminal/command.ts';
import { listenForShutdown } from '../../start/signals.ts';
import { requireFreePort } from '../../start/free-port.ts';
import { version } from '../../ops/version.ts';

const DEFAULT_PORT = '8090';
const DEFAULT_HOST = '127.0.0.1';

const DATA_OPTION: Option = {
  type: 'string',
  what: "The folder for its book and key. Default: bank in Kassa's data folder.",
  value: 'DIR',
};

const faultRows = Object.entries(FAULTS).map(([name, what]) => [`  ${name}`, what]);

const folderOf = ({ config, options }: Invocation): string => {
  const { data = join(config.dataDir, 'bank') } = options as { data?: string };
  if (data.trim() === '') throw new UserError('--data is empty; it must be a folder.');
  return data;
};

function readStartFaults(text: string): Faults {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UserError(`--faults must be JSON, such as --faults '{"loseAfter": 0.1}'.`);
  }
  try {
    return readFaults(value);
  } catch (error) {
    if (!(error instanceof BadField)) throw error;
    throw new UserError(error.field === 'body' ? '--faults must be a JSON object.' : `--faults: ${error.message}`);
  }
}

function explainFolder(error: unknown, folder: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const codes = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ENOSPC', 'ERR_SQLITE_ERROR'];
  if (error instanceof NoFolder || codes.includes(code))
    return new UserError(`The folder ${folder} cannot be used: ${message}. Choose another one with --data.`);
  return error;
}

function explainListening(error: unknown, host: string, port: number): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new UserError(
        `Port ${port} on ${host} is in use: stop the program that uses it, or choose another one with --port.`,
      );
    case 'EACCES':
      return new UserError(`This user is not allowed to listen on port ${port}: choose one above 1023 with --port.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UserError(`--host ${host} is not an address of this machine.`);
    default:
      return error;
  }
}

type Opened = {
  readonly url: string;
  /** Only for a terminal; undefined where a log may keep the output. */
  readonly key: string | undefined;
  readonly isKeyGiven: boolean;
  readonly folder: string;
  readonly lines: number;
};

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

const showFaults = (faults: Faults): string => {
  const on = describeFaults(faults);
  return Object.keys(on).length === 0 ? 'none' : JSON.stringify(on);
};

function bannerOf({ url, key, isKeyGiven, folder, lines }: Opened, faults: Faults): string {
  const keyFile = keyFileIn(folder);
  const hidden = isKeyGiven ? 'as given' : `in ${keyFile}`;
  const spelled = key ?? (isKeyGiven ? 'KEY' : `$(cat '${keyFile}')`);
  const rows = [
    ['Address', url],
    ['Key', key ?? hidden],
    ['Book', `${bookFileIn(folder)}, ${countOf(lines, 'line')}`],
    ['Faults', showFaults(faults)],
  ];
  const authorization = `-H "Authorization: ${spelled}"`;
  return [
    '',
    indent(`The bank of Kassa ${version} is running. Ctrl-C stops it.\n\n${alignRows(rows)}`),
    '',
    indent('Use it for a merchant of your Kassa:\n'),
    `npx kassa acquirer add bank --url ${url} --key "${spelled}"`,
    'npx kassa merchant update MERCHANT --acquirer bank',
    '',
    indent('Lose every third response after the money has moved; {} clears the faults:\n'),
    `curl -sS -X PUT ${url}/faults ${authorization} -d '{"loseAfter": 0.33}'`,
    '',
    indent('Read its book:\n'),
    `curl -sS ${url}/book ${authorization}`,
    '',
  ].join('\n');
}

/** The columns of a log line, padded so that lines align. */
function describeRequest(handled: HandledRequest): string[] {
  if ('request' in handled) return [handled.result, handled.request, handled.note ?? ''];
  const { kind, amount, currency, result, id, note = '' } = handled;
  const what = [kind.padEnd('reservation'.length), showAmount(amount, currency).padStart(16)];
  return [...what, result.padEnd('approved'.length), id, note];
}

const showRequest = (handled: HandledRequest): string =>
  [new Date().toISOString().replace(/\.\d+Z/, 'Z'), ...describeRequest(handled)].join('  ').trimEnd();

async function openBookIn(folder: string, readOnly = false): Promise<Book> {
  enterFolder(folder);
  const { openBook } = await import('../../bank/book.ts');
  return openBook(bookFileIn(folder), { readOnly });
}

/** Two banks on one folder would each have their own faults, and a client would get either. */
async function lockFolder(folder: string): Promise<FolderLock> {
  const lock = tryExclusiveLock(lockFileIn(folder));
  if (lock !== undefined) {
    await forgetAddress(folder);
    return lock;
  }
  const address = readAddress(folder);
  const where = address === undefined ? '' : ` at ${address}`;
  throw new UserError(`Another bank${where} uses the folder ${folder}: stop it, or choose another one with --data.`);
}

async function run(invocation: Invocation): Promise<number> {
  const {
    port = DEFAULT_PORT,
    host = DEFAULT_HOST,
    ...rest
  } = invocation.options as Record<string, string | undefined>;
  const folder = folderOf(invocation);
  const wanted = readPort(port);
  const faults = readStartFaults(rest['faults'] ?? '{}');
  const given = rest['key'] === undefined ? undefined : readAcquirerKey(rest['key']);
  const explain = (error: unknown): never => {
    throw explainListening(error, host, wanted);
  };
  // Report a port in use before creating the folder.
  await requireFreePort({ host, port: wanted }).catch(explain);
  const shutdown = listenForShutdown(() => remark('kassa: Stopped immediately, on a second signal.'));
  const open = async (): Promise<[FolderLock, string, Book]> => {
    await makeFolder(folder);
    return [await lockFolder(folder), given ?? keepKey(folder), await openBookIn(folder)];
  };
  const [lock, key, book] = await open().catch((error: unknown) => {
    throw explainFolder(error, folder);
  });
  const { buildBank } = await import('../../bank/app.ts');
  const bank = buildBank({
    book,
    key,
    faults,
    onHandled: (handled) => remark(showRequest(handled)),
    onDefect: (error) => remark(String(error.stack ?? error)),
  });
  await bank.app.listen({ host, port: wanted }).catch(async (error: unknown) => {
    await bank.close();
    explain(error);
  });
  const url = localUrlOf(host, (bank.app.server.address() as { port: number }).port);
  noteAddress(folder, url);
  const shown = process.stdout.isTTY ? key : undefined;
  print(bannerOf({ url, key: shown, isKeyGiven: given !== undefined, folder, lines: book.countLines() }, faults));
  const { fault } = await shutdown.requested;
  await bank.close();
  lock.release();
  shutdown.stopListening();
  if (fault) throw fault;
  remark('The bank has stopped.');
  return 0;
}

export const bankCommand: Command = {
  usage: '[OPTIONS]',
  more: [
    'Each operation is logged as a line on standard error. kassa bank book prints the book.',
    'Set faults at the start with --faults, later with PUT /faults and the header Authorization: KEY:',
    '',
    alignRows(faultRows),
    '',
    'A latency is one of',
    '',
    ...LATENCY_EXAMPLES.map((latency) => `  ${JSON.stringify(latency)}`),
    '',
    `For example: kassa bank --faults '{"loseAfter": 0.3, "latency": {"kind": "fixed", "ms": 200}}'`,
  ].join('\n'),
  options: {
    port: { type: 'string', what: `Port to listen on. Default: ${DEFAULT_PORT}; 0 picks a free one.`, value: 'PORT' },
    host: { type: 'string', what: `Address to listen on. Default: ${DEFAULT_HOST}.`, value: 'HOST' },
    data: DATA_OPTION,
    key: {
      type: 'string',
      what: 'The key that clients must send. Default: a generated one, which is kept.',
      value: 'KEY',
    },
    faults: { type: 'string', what: 'The initial faults, as JSON.', value: 'JSON' },
  },
  run,
};

export const bankBookCommand: Command = {
  usage: '[--data DIR]',
  options: { data: DATA_OPTION },
  run: async (invocation) => {
    const folder = folderOf(invocation);
    if (!existsSync(bookFileIn(folder)))
      throw new UserError(`There is no book in ${folder}. Set the folder of the bank with --data.`);
    const book = await openBookIn(folder, true).catch((error: unknown) => {
      throw explainFolder(error, folder);
    });
    const { lines } = book.page({ after: 0, limit: book.countLines(), from: 0, to: Number.MAX_SAFE_INTEGER });
    print(lines.length === 0 ? '[]' : `[\n${lines.map((line) => JSON.stringify(line)).join(',\n')}\n]`);
    book.close();
    return 0;
  },
};
