// What every statement is run with, whatever a role, a database or a server is set to: how values are spelled, how long it
// may take, that a commit is durable, and for the group calls which plans there are.

export type Setting = readonly [name: string, value: string];

const STATEMENT_TIMEOUT_MS = 10_000;

/** For whoever has lifted the limit of a connection for a while: puts it back. */
export const LIMIT_STATEMENTS = `set statement_timeout = ${STATEMENT_TIMEOUT_MS};`;

// Group statements join a few keys to big tables. A plan made while a table was still empty would scan it for as long
// as the plan is cached; these settings leave index look-ups as the only sensible plan from the first row on, and keep
// the order of the sorted keys, so that two processes lock rows in the same order.
const LOOK_UPS_ONLY: readonly Setting[] = [
  ['enable_seqscan', 'off'],
  ['enable_bitmapscan', 'off'],
  ['enable_hashjoin', 'off'],
  ['enable_mergejoin', 'off'],
];

// What the reading of rows and the promise of durability rest on, whatever a role, a database or a server is set to: how
// times and bytes are spelled, and that one is warned of a wait for a standby that somebody ended.
const SPELLING: readonly Setting[] = [
  ['timezone', 'UTC'],
  ['datestyle', 'ISO, YMD'],
  ['bytea_output', 'hex'],
  ['client_min_messages', 'notice'],
];

/**
 * That a commit is on disk, and on that of a synchronous standby, before it is answered; stronger where the server is. Set
 * also where it is so already: what a session has set itself, no reload of the server's configuration changes.
 */
export const DURABLE = `case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end`;

/** What every statement of a pool rests on, beside durability. */
export const settingsOf = ({
  lookUpsOnly = false,
  lockTimeoutMs = 0,
}: {
  readonly lookUpsOnly?: boolean;
  readonly lockTimeoutMs?: number;
}): Setting[] => [
  ...SPELLING,
  ['statement_timeout', String(STATEMENT_TIMEOUT_MS)],
  ['lock_timeout', String(lockTimeoutMs)],
  ...(lookUpsOnly ? LOOK_UPS_ONLY : []),
];

/** The statements that give a session these settings. */
export const settingsText = (settings: readonly Setting[]): string =>
  settings.map(([name, value]) => `set ${name} = '${value}';`).join(' ') +
  ` select set_config('synchronous_commit', ${DURABLE}, false);`;
