// Refuses database addresses that cannot work, before doing anything else, with a sentence that says what to set.
import type { Config } from '../config.ts';
import { UserError } from '../ops/user-error.ts';
import { areOneDatabase, keepsSessions } from '../store/connections/sessions-kept.ts';

/** Migrations, commands and notifications need a session: of the direct address, if there is one. */
export async function requireSessions({ databaseUrl, databaseDirectUrl }: Config): Promise<void> {
  const url = databaseDirectUrl ?? databaseUrl;
  if (url === undefined || (await keepsSessions(url))) return;
  throw new UserError(
    databaseDirectUrl === undefined
      ? 'DATABASE_URL is a pooler in transaction mode: set KASSA_DATABASE_DIRECT_URL to the address of its Postgres, or use session mode.'
      : 'KASSA_DATABASE_DIRECT_URL is a pooler in transaction mode: set it to the address of Postgres itself.',
  );
}

export async function requireOneDatabase({ databaseUrl, databaseDirectUrl }: Config): Promise<void> {
  if (databaseUrl === undefined || databaseDirectUrl === undefined) return;
  if (await areOneDatabase(databaseDirectUrl, databaseUrl)) return;
  throw new UserError(
    'KASSA_DATABASE_DIRECT_URL and DATABASE_URL are different databases: set them to the direct and the pooled address of the same one.',
  );
}
