// `kassa testing`: the process that the test kit runs beside a test. It speaks JSON lines, so that a kit in any language
// can use it.
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { version } from '../../ops/version.ts';
import { listenForShutdown } from '../../start/signals.ts';
import { explainDatabaseError } from '../../start/explain.ts';
import type { Command } from '../terminal/command.ts';

// One per user, because of permissions, and per version, which may bring another Postgres.
const defaultFolder = (): string => join(tmpdir(), `kassa-testing-${version}-${userInfo().uid}`);

export const testingCommand: Command = {
  usage: '[--data DIR]',
  more: [
    'Uses the Postgres of DATABASE_URL, or an embedded one that all tests of this user share. Each line of standard input',
    'is a JSON object, and is answered by a line with the same id, or with an error:',
    '',
    '  {"id": 1, "do": "start", "with": {"KASSA_PAYMENT_LIFETIME": "1h"}}   starts a Kassa with these settings: its URL',
    '  {"id": 2, "do": "merchant", "kassa": 1, "with": {"name": "A shop"}}  creates a merchant: its keys',
    '  {"id": 3, "do": "bank", "kassa": 1}                                  the bank of merchants with "atBank": true',
    '  {"id": 4, "do": "log", "kassa": 1}                                   the end of its log',
    '  {"id": 5, "do": "stop", "kassa": 1}                                  stops it, and drops its database',
    '',
    'It exits at the end of its input, or ten seconds after the last Kassa was stopped.',
  ].join('\n'),
  options: {
    data: {
      type: 'string',
      value: 'DIR',
      what: 'The folder of the embedded Postgres. Default: a temporary folder of this user.',
    },
  },
  run: async ({ config, options }) => {
    const { data = defaultFolder() } = options as { data?: string };
    if (data.trim() === '') throw new UserError('--data is empty; it must be a folder.');
    const shutdown = listenForShutdown(() => remark('kassa: Stopped immediately, on a second signal.'));
    const { openDatabases } = await import('../../testing/databases.ts');
    const { host } = await import('../../testing/host.ts');
    const onEnded = (error: Error): void => shutdown.fail(new UserError(error.message));
    const opening = openDatabases({ dataDir: data, databaseUrl: config.databaseUrl, onEnded });
    const databases = await opening.catch((error: unknown) => {
      throw explainDatabaseError(error, { ...config, dataDir: data });
    });
    try {
      print(JSON.stringify({ ready: true, version }));
      const answer = (line: object): void => print(JSON.stringify(line));
      await host({ databases, input: process.stdin, until: shutdown.requested, answer });
    } finally {
      await databases.close();
      shutdown.stopListening();
    }
    process.stdin.destroy();
    return 0;
  },
};
