// A next version of Kassa, which there is in the tests alone: this one with two more migrations. They do what the rules
// allow (docs/internals/store.md): a column with a backfill, a column with a check, a table and an index. So the way from
// one version to the next is tried before there is a second release.
import { join } from 'node:path';
import { launch } from '../../proof/program.ts';
import type { Program } from '../../proof/program.ts';
import { readMigrations } from '../../src/store/schema/migration-files.ts';
import type { Migration } from '../../src/store/schema/migration-files.ts';

/** The version of this program. */
export const NOW = readMigrations().at(-1)?.number ?? 0;

export const NEXT: readonly Migration[] = [
  {
    number: NOW + 1,
    name: 'sales-channels',
    text: `-- runs with ${NOW}
alter table merchants add column channel text;
alter table payments add column channel text;
alter table payments add constraint payments_channel_check check (length(channel) between 1 and 16) not valid;
create table channel_notes (
  part smallint not null,
  payment_id uuid not null,
  note text not null,
  primary key (part, payment_id),
  foreign key (part, payment_id) references payments (part, id)
);
`,
  },
  {
    number: NOW + 2,
    name: 'sales-channel-indexes',
    text: `-- online
-- runs with ${NOW}
update merchants set channel = 'web' where channel is null;
alter table payments validate constraint payments_channel_check;
create index concurrently if not exists payments_by_channel on payments (merchant_id, channel, id);
`,
  },
];

/** For Node, before the program: makes it that version. */
export const AS_NEXT = ['--import', join(import.meta.dirname, 'read-next-version.ts')] as const;

/** A command of that version. */
export const launchNext = (args: readonly string[], env: Readonly<Record<string, string>>): Program =>
  launch(args, { flags: AS_NEXT, env: { KASSA_DATA_DIR: '/dev/null/none', ...env } });
