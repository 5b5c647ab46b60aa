// The version of this program from its package, and its commit: from the package of a release, or from the git folder of a
// checkout. Git need not be installed.
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly version: string;
  readonly gitHead?: string;
};

function readGit(file: string): string {
  try {
    return readFileSync(new URL(`.git/${file}`, root), 'utf8').trim();
  } catch {
    return '';
  }
}

/** HEAD is a commit or names a branch, which has its own file or a line in packed-refs. */
function readCheckout(): string | undefined {
  const head = readGit('HEAD');
  const [, branch] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
  const packed = (): string | undefined =>
    readGit('packed-refs')
      .split('\n')
      .find((line) => line.endsWith(` ${branch}`));
  const found = branch === undefined ? head : readGit(branch) || (packed() ?? '');
  return /^[0-9a-f]{40,64}\b/.exec(found)?.[0];
}

export const { version } = manifest;

/** Undefined if unknown. */
export const commit = manifest.gitHead ?? readCheckout();
