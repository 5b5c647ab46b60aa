// Databases for one test file: clones of the migrated template, dropped when the file has ended.
import { randomBytes } from 'node:crypto';
import { asAdmin } from './admin.ts';

const ofFile = new Set<string>();

/** After a file: drops what it has cloned, whoever is still connected. */
export async function dropClones(): Promise<void> {
  const names = [...ofFile];
  ofFile.clear();
  const { TEST_DATABASE_URL: server } = process.env;
  if (server === undefined || names.length === 0) return;
  await asAdmin(server, async (query) => {
    for (const name of names) await query(`drop database if exists ${name} with (force)`);
  });
}

/** The databases cloned so far stay until the whole run ends. */
export const keepClones = (): void => ofFile.clear();

export async function cloneDatabase(): Promise<string> {
  const { TEST_DATABASE_URL: server, TEST_DATABASE_PREFIX: prefix } = process.env;
  if (!server || !prefix) throw new Error('run the tests with: npm test -- test/…/….test.ts');
  const name = `${prefix}_${randomBytes(6).toString('hex')}`;
  await asAdmin(server, (query) => createClone(query, name, `${prefix}_template`));
  ofFile.add(name);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Postgres clones a template for one at a time; whoever comes second is turned away and asks again. */
async function createClone(query: (text: string) => Promise<unknown>, name: string, template: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await query(`create database ${name} template ${template}`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || tries > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
