// `npm run release:pack -- --out FOLDER`: makes the package of a release as a tarball that installs on a clean machine,
// with a list of what it is made of (SBOM) and a statement of what it was made from beside it. It says what is in it, and
// fails when it has grown beyond its bound.
import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sha256Of, writeProvenance } from './provenance.ts';
import { tidySbom } from './sbom.ts';
import { root, stageRelease } from './stage.ts';

// The program is two megabytes, its pages, migrations and texts two, the guides with their pictures two; more needs a
// reason.
const MOST_UNPACKED_BYTES = 6_500_000;

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', [...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });

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
    const sbom = `kassa-${version}.sbom.json`;
    // Of what is locked: what lies in a checkout's node_modules is nobody's business.
    const made = npm(['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'dev'], root);
    await writeFile(join(out, sbom), tidySbom(made, 'kassa'));
    writeProvenance(out, version, [name, sbom]);

    const unpacked = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const [folder, size] of [...sizes].toSorted(([, one], [, other]) => other - one))
      console.log(`${kilobytes(size)}  ${folder}`);
    console.log(`${kilobytes(unpacked)}  unpacked, at most ${kilobytes(MOST_UNPACKED_BYTES).trim()}`);
    console.log(`${kilobytes(packed.size)}  ${file}`);
    console.log(`           sha256 ${sha256Of(file)}`);
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
