// `npm run release:pack -- --out FOLDER`: makes the package of a release as a tarball that installs on a clean machine,
// with a list of what it is made of (SBOM) and a statement of what it was made from beside it. It says what is in it, and
// fails when it has grown beyond its bound.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, stageRelease } from './stage.ts';

// The program is a megabyte and a half, and its pages, migrations and texts half of one; more needs a reason.
const MOST_UNPACKED_BYTES = 4_000_000;

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', [...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0).padStart(6)} kB`;

/** How much is in each folder of the package. */
function weigh(folder: string): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const file of globSync('**/*', { cwd: folder, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name).slice(folder.length + 1);
    const [top] = path.includes('/') ? path.split('/') : ['texts and manifest'];
    sizes.set(top as string, (sizes.get(top as string) ?? 0) + statSync(join(folder, path)).size);
  }
  return sizes;
}

/** What it was made from, in the terms of in-toto: whoever has the commit can make it again and compare. */
function provenanceOf(name: string, sha256: string): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: { sha256 } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run release:pack',
        externalParameters: {},
        resolvedDependencies: [{ name: 'kassa', digest: { gitCommit: git('rev-parse', 'HEAD') } }],
        internalParameters: { isClean: git('status', '--porcelain') === '' },
      },
      runDetails: { builder: { id: `node ${process.version}` }, metadata: { finishedOn: new Date().toISOString() } },
    },
  };
}

export async function packRelease(out: string): Promise<string> {
  await mkdir(out, { recursive: true });
  const staging = await mkdtemp(join(tmpdir(), 'kassa-release-'));
  try {
    const { version } = await stageRelease(staging);
    const sizes = weigh(staging);
    const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts'], staging)) as [
      { filename: string; size: number },
    ];
    const name = `kassa-${version}.tgz`;
    const file = join(out, name);
    await rename(join(staging, packed.filename), file);
    const sha256 = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    await writeFile(
      join(out, `kassa-${version}.provenance.json`),
      `${JSON.stringify(provenanceOf(name, sha256), null, 2)}\n`,
    );
    await writeFile(
      join(out, `kassa-${version}.sbom.json`),
      // Of what is locked: what lies in a checkout's node_modules is nobody's business.
      npm(['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'dev'], root),
    );

    const unpacked = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const [folder, size] of [...sizes].toSorted(([, one], [, other]) => other - one))
      console.log(`${kilobytes(size)}  ${folder}`);
    console.log(`${kilobytes(unpacked)}  unpacked, at most ${kilobytes(MOST_UNPACKED_BYTES).trim()}`);
    console.log(`${kilobytes(packed.size)}  ${file}`);
    console.log(`           sha256 ${sha256}`);
    if (unpacked > MOST_UNPACKED_BYTES)
      throw new Error('The package has grown beyond its bound: see scripts/release/pack.ts.');
    return file;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'release' } } });
  await packRelease(resolve(values.out));
}
