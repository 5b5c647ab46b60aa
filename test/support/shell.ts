// A plain bash, as a reader of the documents has one: nothing of this machine's settings or start-up files. Where the
// machine has no curl, a stand-in of ours is found in its place.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];
const hasCurl = FOLDERS.some((folder) => existsSync(join(folder, 'curl')));
const standIns = hasCurl ? [] : [join(import.meta.dirname, 'stand-in')];

/** Where programs are looked for: the Node that runs the tests, and the machine's own. */
const shellPath = [dirname(process.execPath), ...FOLDERS, ...standIns].join(':');

export type Typed = { readonly stdout: string; readonly stderr: string };

/** Types the lines into a bash that stops at the first one that fails. */
export function typeIntoShell(
  script: string,
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Typed> {
  const { cwd, env } = options;
  const flags = ['--norc', '-e', '-o', 'pipefail', '-c', script];
  return run('bash', flags, { ...(cwd !== undefined && { cwd }), env: { PATH: shellPath, ...env } });
}
