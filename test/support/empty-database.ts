// A database with nothing in it, not even our tables; dropped with the clones when the whole run ends.
import { randomBytes } from 'node:crypto';
import { asAdmin } from './admin.ts';

export async function createEmptyDatabase(): Promise<string> {
  const { TEST_DATABASE_URL: server, TEST_DATABASE_PREFIX: prefix } = process.env;
  if (!server || !prefix) throw new Error('run the tests with: npm test -- test/…/….test.ts');
  const name = `${prefix}_empty_${randomBytes(6).toString('hex')}`;
  await asAdmin(server, (query) => query(`create database ${name} template template0`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
