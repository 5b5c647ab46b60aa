// The timeline of the primary. Each promotion begins a new one, so it shows that another server has taken over since
// something was read.

/** A timeline as Postgres prints it; on a standby, a word that is not one. */
export type Timeline = string;

export const TIMELINE = `case
  when pg_is_in_recovery() then 'recovery'
  else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
end`;

/** The rights that a role needs for it, even without a standby: Postgres checks rights before conditions. */
export const TIMELINE_FUNCTIONS = ['pg_walfile_name(pg_lsn)', 'pg_current_wal_insert_lsn()'];

/** Null without a synchronous standby: then everything that can be read is permanent. */
export const SYNCHRONOUS_TIMELINE = `case when current_setting('synchronous_standby_names') <> '' then ${TIMELINE} end`;
