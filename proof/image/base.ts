// What the Dockerfile begins with, where no registry of images can be reached: a Debian by debootstrap, as small as the
// public one, and one with the Node and the npm of this machine in the places that the public one of Node has them.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../program.ts';
import type { Engine } from './engine.ts';

const run = promisify(execFile);

const RELEASE = 'trixie';
// What the public image leaves out as well.
const LEFT_OUT = 'var/cache/apt/* var/lib/apt/lists/* var/log/* usr/share/{doc,info,locale,man}/*'.split(' ');

export type Bases = { readonly debian: string; readonly node: string };

async function importFolder(engine: Engine, folder: string, name: string): Promise<void> {
  const tar = `${folder}.tar`;
  await run('tar', ['--numeric-owner', '-C', folder, '-cf', tar, '.']);
  await engine.must('import', tar, name);
  rmSync(tar);
}

/** npm as the machine has it, and how it reaches the packages: both stay in the first stage of the build. */
function addNode(folder: string): void {
  const programs = join(folder, 'usr/local/bin');
  const modules = join(folder, 'usr/local/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(realpathSync(process.execPath), join(programs, 'node'));
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())));
  cpSync(npm, join(modules, 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(programs, 'npm'));
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(folder, 'etc/ssl/ca-of-the-machine.crt'));
  mkdirSync(join(folder, 'usr/local/etc'), { recursive: true });
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim();
  writeFileSync(
    join(folder, 'usr/local/etc/npmrc'),
    `registry=${registry}\ncafile=/etc/ssl/ca-of-the-machine.crt\nprefer-offline=true\n`,
  );
}

export async function makeBases(engine: Engine, folder: string): Promise<Bases> {
  const names = { debian: `localhost/debian:${RELEASE}`, node: `localhost/node:${RELEASE}` };
  const system = join(folder, 'debian');
  await run('debootstrap', ['--variant=minbase', RELEASE, system], { maxBuffer: 16 * 1024 * 1024 });
  for (const path of LEFT_OUT.flatMap((pattern) => globSync(pattern, { cwd: system })))
    rmSync(join(system, path), { recursive: true });
  await importFolder(engine, system, names.debian);
  addNode(system);
  await importFolder(engine, system, names.node);
  rmSync(system, { recursive: true });
  return names;
}
