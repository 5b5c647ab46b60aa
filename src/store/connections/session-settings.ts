// The settings of every session, whatever is configured for the role, database or server: formats, timeouts, durable
// commits, and the planner settings for group calls.

export type Setting = readonly [name: string, value: string];

const STATEMENT_TIMEOUT_MS = 10_000;

/** Restores the default timeout of a connection that had none for a while. */
export const LIMIT_STATEMENTS = `set statement_timeout = ${STATEMENT_TIMEOUT_MS};`;

// Group statements join a few keys to big tables. A plan made while a table was still empty would scan it for as long
// as the plan is cached; these settings leave index scans as the only sensible plan from the first row on, and keep the
// order of the sorted keys, so that two processes lock rows in the same order.
const LOOK_UPS_ONLY: readonly Setting[] = [
  ['enable_seqscan', 'off'],
  ['enable_bitmapscan', 'off'],
  ['enable_hashjoin', 'off'],
  ['enable_mergejoin', 'off'],
];

// Parsing and durability depend on these, whatever is configured for the role, database or server: the formats of times
// and bytes, and the warning when a wait for a standby was cancelled.
const SPELLING: readonly Setting[] = [
  ['timezone', 'UTC'],
  ['datestyle', 'ISO, YMD'],
  ['bytea_output', 'hex'],
  ['client_min_messages', 'notice'],
];

/**
 * A commit returns once it is flushed to disk and to a synchronous standby; the server may be stricter. Set even if it
 * is the default already, since a reload of the server's configuration does not change a setting of the session.
 */
export const DURABLE = `case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end`;

/** What every statement of a pool depends on, apart from durability. */
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

/** The statements that apply these settings to a session. */
export const settingsText = (settings: readonly Setting[]): string =>
  settings.map(([name, value]) => `set ${name} = '${value}';`).join(' ') +
  ` select set_config('synchronous_commit', ${DURABLE}, false);`;
