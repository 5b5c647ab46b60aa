// `npm run release -- --out FOLDER`: makes a release from a commit: the package, tried as a stranger would, the list of
// what it is made of, notes out of the changelog, a statement of what all were made from, and checksums. It publishes
// nothing.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runByHand } from '../../proof/by-hand.ts';
import { readMigrations } from '../../src/store/schema/migration-files.ts';
import { NotReady, notesOf } from './notes.ts';
import { packRelease } from './pack.ts';
import { git, sha256Of, writeProvenance } from './provenance.ts';
import { refuseUnready } from './readiness.ts';
import { root } from './stage.ts';
import { tryPackage } from './try-package.ts';

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

async function release(out: string, signal: AbortSignal): Promise<void> {
  const { version } = readJson('package.json') as { version: string };
  const kept = `test/fixtures/releases/${version}/release.json`;
  refuseUnready({
    changed: git('status', '--porcelain'),
    version,
    newestSchema: readMigrations().at(-1)?.number ?? 0,
    ...(existsSync(join(root, kept)) && { kept: readJson(kept) as { version: string; schema: number } }),
  });
  const notes = notesOf(version, git('rev-parse', 'HEAD'), readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  const tarball = await packRelease(out);
  try {
    const { installMs, paidMs } = await tryPackage(tarball, version, { signal });
    const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
    console.log(`           installed in ${seconds(installMs)} s, paid ${seconds(paidMs)} s later`);
  } catch (error) {
    // Nobody should take it for one that works.
    rmSync(tarball);
    throw error;
  }
  const named = (kind: string): string => `kassa-${version}.${kind}`;
  writeFileSync(join(out, named('notes.md')), notes);
  const files = [basename(tarball), named('sbom.json'), named('notes.md')];
  const all = [...files, writeProvenance(out, version, files)];
  writeFileSync(join(out, 'SHA256SUMS'), all.map((file) => `${sha256Of(join(out, file))}  ${file}\n`).join(''));
  for (const file of [...all, 'SHA256SUMS']) console.log(`           ${file}`);
}

const { values } = parseArgs({ options: { out: { type: 'string', default: 'release' } } });
await runByHand('release', async (signal) => {
  try {
    await release(resolve(values.out), signal);
    return 0;
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    console.error(error.message);
    return 1;
  }
});
