// What the files of a release were made from, in the terms of in-toto and SLSA: the commit, the lockfile, the Node, and the
// digests of what came of it. It is not signed: whoever has the commit makes the package again, and compares.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stage.ts';

export const sha256Of = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

export const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Writes the statement of those files beside them, and gives its name. */
export function writeProvenance(folder: string, version: string, files: readonly string[]): string {
  const name = `kassa-${version}.provenance.json`;
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map((file) => ({ name: file, digest: { sha256: sha256Of(join(folder, file)) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:kassa:release',
        externalParameters: { command: 'npm ci && npm run release:pack', version },
        internalParameters: { isClean: git('status', '--porcelain') === '', signature: 'none' },
        resolvedDependencies: [
          { name: 'kassa', digest: { gitCommit: git('rev-parse', 'HEAD') } },
          { name: 'package-lock.json', digest: { sha256: sha256Of(join(root, 'package-lock.json')) } },
        ],
      },
      runDetails: {
        builder: { id: 'urn:kassa:checkout', version: { node: process.version } },
        metadata: { finishedOn: new Date().toISOString() },
      },
    },
  };
  writeFileSync(join(folder, name), `${JSON.stringify(statement, null, 2)}\n`);
  return name;
}
