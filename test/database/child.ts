// A small Kassa for the tests of src/database: it starts or uses the database of a folder, says so in one line of
// JSON, and stops when its standard input ends. Its module is imported by path, so that a test can give it a copy.
import { pathToFileURL } from 'node:url';
import type * as Embedded from '../../src/database/embedded.ts';

const [way, module, dataDir, sharedHome] = process.argv.slice(2) as ['start' | 'use', string, string, string];
const { startEmbeddedDatabase, useEmbeddedDatabase } = (await import(pathToFileURL(module).href)) as typeof Embedded;

try {
  const open = way === 'start' ? startEmbeddedDatabase : useEmbeddedDatabase;
  const database = await open({ dataDir, sharedHome });
  console.log(JSON.stringify({ url: database.url, started: database.started }));
  process.stdin.resume().once('end', () => {
    void database.stop().then(() => console.log(JSON.stringify({ stopped: true })));
  });
} catch (error) {
  const { name, message } = error as Error;
  console.log(JSON.stringify({ name, message }));
  process.exitCode = 1;
}
