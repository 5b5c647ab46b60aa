// Programs that tests need and the machine may not have: Debian's package is installed where we may, and asked for by
// name where we may not.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

export type Wanted = {
  /** The program's path, undefined when it is not there. */
  readonly find: () => string | undefined;
  /** Packages that have it, the best first: not every Debian has all. */
  readonly packages: readonly [string, ...string[]];
  /** What else it needs. */
  readonly with?: readonly string[];
  /** Who needs it, and what to do where it cannot be installed. */
  readonly neededBy: string;
  readonly otherwise?: string;
};

// One at a time: several tests may want something, and apt gives up where another holds its lists. Neither is of the run,
// whose end would kill it halfway: so the lock is not in its folder, and apt does not know that. The process goes on
// meanwhile: a Kassa in it that is connecting to Postgres would be hung up on.
const LOCK = '/tmp/kassa-test-apt.lock';
async function apt(...args: string[]): Promise<void> {
  const child = spawn('flock', [LOCK, 'apt-get', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: '/tmp', DEBIAN_FRONTEND: 'noninteractive' },
  });
  await once(child, 'exit');
}

/** Undefined where it is not there and may not, or cannot, be installed. */
export async function findProgram({
  find,
  packages,
  with: others = [],
  neededBy,
}: Wanted): Promise<string | undefined> {
  const found = find();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    await apt('update', '-qq');
    for (const name of packages) {
      console.log(`Installing ${name}, which ${neededBy} (apt-get install ${name}).`);
      await apt('install', '-y', '-qq', '--no-install-recommends', name, ...others);
      const installed = find();
      if (installed !== undefined) return installed;
    }
  }
  return undefined;
}

export async function requireProgram(wanted: Wanted): Promise<string> {
  const {
    packages: [name],
    neededBy,
    otherwise = '',
  } = wanted;
  const found = await findProgram(wanted);
  if (found !== undefined) return found;
  throw new Error(`${name} is missing, which ${neededBy}: apt-get install ${name} on Debian${otherwise}.`);
}
