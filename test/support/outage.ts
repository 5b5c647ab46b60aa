// Takes the database away from under a running service, or breaks it, and puts it right again whatever happens: how a
// 503 and a 500 come about without a hook in the program.
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import type { Service } from './service.ts';

const OF_DATABASE = 'from pg_stat_activity where datname = $1';

/** All connections at once: to wait for each before the next is cut would take as long as there are many. */
async function cutConnections(admin: Pool, name: string): Promise<void> {
  // One that has ended by itself meanwhile is warned of, as a wait for a standby would be that somebody ended.
  await admin.query('set client_min_messages = error');
  const cut = await admin.query<{ pid: number }>(`select pid, pg_terminate_backend(pid) ${OF_DATABASE}`, [name]);
  const left = `select 1 ${OF_DATABASE} and pid = any ($2) limit 1`;
  const pids = cut.map(({ pid }) => pid);
  while ((await admin.query(left, [name, pids])).length > 0) await sleep(10);
}

/** Nobody can connect to the service's database, and every connection to it is cut. */
export async function whileDatabaseIsAway<Result>(service: Service, use: () => Promise<Result>): Promise<Result> {
  const name = new URL(service.databaseUrl).pathname.slice(1);
  const admin = openPool(process.env['TEST_DATABASE_URL'] as string, { size: 1 });
  try {
    await admin.query(`alter database ${name} allow_connections false`);
    await cutConnections(admin, name);
    return await use();
  } finally {
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.close();
  }
}

/** Every new connection to the service's database has the setting, and there are only new ones. */
export async function whileDatabaseHas<Result>(
  service: Service,
  setting: string,
  use: () => Promise<Result>,
): Promise<Result> {
  const name = new URL(service.databaseUrl).pathname.slice(1);
  const admin = openPool(process.env['TEST_DATABASE_URL'] as string, { size: 1 });
  try {
    await admin.query(`alter database ${name} set ${setting}`);
    await cutConnections(admin, name);
    return await use();
  } finally {
    await admin.query(`alter database ${name} reset all`);
    await cutConnections(admin, name);
    await admin.close();
  }
}

/** Who makes a table hears that the disk is full. */
export async function whileDiskIsFull<Result>(service: Service, use: () => Promise<Result>): Promise<Result> {
  await service.pool.query(`create function refuse_room() returns event_trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
  await service.pool.query(`create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE')
    execute function refuse_room()`);
  try {
    return await use();
  } finally {
    await service.pool.query('drop event trigger full_disk; drop function refuse_room');
  }
}

export type Table = 'payments' | 'movements' | 'subscriptions' | 'bulks' | 'payouts' | 'webhooks';

/** Every statement that names the table fails. */
export async function whileTableIsMissing<Result>(
  service: Service,
  table: Table,
  use: () => Promise<Result>,
): Promise<Result> {
  await service.pool.query(`alter table ${table} rename to ${table}_missing`);
  try {
    return await use();
  } finally {
    await service.pool.query(`alter table ${table}_missing rename to ${table}`);
  }
}

/** Payments can be read, but no commit that tells of something goes through. */
export async function whileEventsAreRefused<Result>(service: Service, use: () => Promise<Result>): Promise<Result> {
  await service.pool.query('alter table events add constraint no_more_events check (false) not valid');
  try {
    return await use();
  } finally {
    await service.pool.query('alter table events drop constraint no_more_events');
  }
}
