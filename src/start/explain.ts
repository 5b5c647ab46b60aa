// Explains failures that the user can fix, each as one sentence that says what to do.
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { describeDatabase, placeOf, serversOf } from '../config/database-url.ts';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import { DISK_FULL } from '../database/connection.ts';
import { explainFullDisk } from '../database/full-disk.ts';
import { UnreleasedSchema } from '../store/schema/database-misfit.ts';
import { DatabaseAway, NotReplicated, OutcomeUnknown } from '../store/connections/pool.ts';
import { UserError } from '../ops/user-error.ts';

const NO_PASSWORD = 'NO_PASSWORD';
const DIRECT = 'KASSA_DATABASE_DIRECT_URL';

// Driver errors that have no code.
const CODES_BY_TEXT: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/timeout/i, 'ETIMEDOUT'],
  [/password must be a string/i, NO_PASSWORD],
];

/** Explains a database error by its code. */
function explainFault(url: string, code: string, message: string): string {
  const servers = serversOf(url);
  const { pathname } = new URL(servers[0] as string);
  const [hostname, server] = [
    servers.map((one) => new URL(one).hostname).join(' or '),
    servers.map(placeOf).join(' or '),
  ];
  switch (code) {
    case 'ECONNREFUSED':
      return `Cannot connect to Postgres at ${server}: start it, or correct DATABASE_URL.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${hostname} cannot be resolved: correct DATABASE_URL, or check the network.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `The host ${hostname} is unreachable: correct DATABASE_URL, or check the network.`;
    case 'ETIMEDOUT':
      return `The connection to Postgres at ${server} timed out: check the network and the server.`;
    case '28P01':
    case '28000':
      return `Postgres at ${server} refuses the user or password of DATABASE_URL: ${message}.`;
    case NO_PASSWORD:
      return `Postgres at ${server} requires a password: add it to DATABASE_URL.`;
    case '3D000':
      return `Postgres at ${server} has no database ${pathname.slice(1)}: create it, or correct DATABASE_URL.`;
    case '42501':
      return `The user of DATABASE_URL lacks privileges in ${describeDatabase(url)}: ${message}.`;
    default:
      return `The database ${describeDatabase(url)} cannot be used: ${message || code || 'no response'}.`;
  }
}

const NOT_CONFIRMED =
  'A synchronous standby is unavailable, so the outcome is unknown. Run the command again when the standby is back.';

function explainFull(
  error: Error,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): string | undefined {
  const { code } = (error instanceof DatabaseAway && error.cause ? error.cause : error) as { readonly code?: string };
  if (code !== DISK_FULL) return undefined;
  if (databaseUrl === undefined) return explainFullDisk(resolve(dataDir), 'disk full', 'its Postgres cannot write');
  return `The disk of the database ${describeDatabase(databaseUrl)} is full: free up space.`;
}

export function explainDatabaseError(error: unknown, { databaseUrl, databaseDirectUrl, dataDir }: Config): unknown {
  if (error instanceof UnreleasedSchema && databaseUrl === undefined)
    return new UnreleasedSchema(`stop Kassa and delete its data folder, ${resolve(dataDir)}`);
  if (error instanceof DatabaseUnavailable) return new UserError(error.message);
  if (error instanceof UserError || !(error instanceof Error)) return error;
  if (error instanceof NotReplicated || error instanceof OutcomeUnknown) return new UserError(NOT_CONFIRMED);
  // Work that needs a session uses the direct address as its database URL.
  const setting = databaseUrl !== undefined && databaseUrl === databaseDirectUrl ? DIRECT : 'DATABASE_URL';
  const isAway = error instanceof DatabaseAway;
  const full = explainFull(error, { databaseUrl, dataDir });
  if (full !== undefined) return new UserError(full);
  const { code: given, message, syscall } = ((isAway && error.cause) || error) as NodeJS.ErrnoException;
  // The driver reads the certificate files that the URL names.
  if (databaseUrl !== undefined && syscall === 'open') return new UserError(`${setting} cannot be used: ${message}.`);
  const code = given ?? CODES_BY_TEXT.find(([pattern]) => pattern.test(message))?.[1] ?? '';
  if (!isAway && code !== '42501') return error;
  if (databaseUrl === undefined) return new UserError(`Cannot connect to the embedded Postgres: ${message || code}.`);
  return new UserError(explainFault(databaseUrl, code, message).replaceAll('DATABASE_URL', setting));
}

export function explainListenError(
  error: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
  setting = 'PORT',
): unknown {
  switch ((error as { code?: string }).code) {
    case 'EADDRINUSE':
      return new UserError(
        `Port ${port} on ${host} is in use: stop the program that uses it, or set ${setting} to another one.`,
      );
    case 'EACCES':
      return new UserError(`This user is not allowed to listen on port ${port}: set ${setting} to one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UserError(`HOST ${host} is not an address of this machine.`);
    default:
      return error;
  }
}
