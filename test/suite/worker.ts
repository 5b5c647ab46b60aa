// A worker: runs test files one after the other in this process, so that the sources, the Kassa that files share and the
// browser are loaded once. Each file is one test of node:test, and its own tests are parts of it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../proof/program.ts';
import { closeBrowser } from '../support/browser.ts';
import { dropClones, keepClones } from '../support/database.ts';
import { closeShared, openShared } from '../support/service.ts';
import { measureFile } from './coverage.ts';
import { beginFile } from './current-file.ts';
import { runAsFile } from './fewer-hooks.ts';
import type { ToWorker } from './messages.ts';

let hasShared = false;

async function runFile(file: string): Promise<void> {
  // Tests beside the code need none, and some of them stop the clock.
  if (!hasShared && !file.startsWith('src/')) {
    await openShared();
    keepClones();
    hasShared = true;
  }
  beginFile(file);
  await runAsFile(file, () => measureFile(file, () => import(pathToFileURL(join(root, file)).href)));
  await dropClones();
}

process.on('message', ({ file }: ToWorker) => void runFile(file));
// The runner has nothing more for us, or is gone.
process.on('disconnect', () => {
  void Promise.allSettled([closeShared(), closeBrowser()]).then(() => process.exit());
});
