// The timeline of a server that is written to: a promotion begins a new one. By it what was found on one server is told
// from what another one says that has taken over since.

/** A timeline, as Postgres spells it; where a server only follows another one, a word that is none. */
export type Timeline = string;

export const TIMELINE = `case
  when pg_is_in_recovery() then 'recovery'
  else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
end`;

/** What the role needs for it, also where there is no standby: Postgres looks at the rights before the conditions. */
export const TIMELINE_FUNCTIONS = ['pg_walfile_name(pg_lsn)', 'pg_current_wal_insert_lsn()'];

/** Null where there is no synchronous standby: then whatever is found is there to stay. */
export const SYNCHRONOUS_TIMELINE = `case when current_setting('synchronous_standby_names') <> '' then ${TIMELINE} end`;
