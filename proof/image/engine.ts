// Podman with a store of its own, so that nothing of a machine's images is used or left behind.
import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BadOption } from '../by-hand.ts';
import { requireProgram } from '../../test/support/debian-package.ts';

const run = promisify(execFile);

// Only keeps what hangs from hanging all.
const LIMIT_MS = 600_000;
const NEEDED_BY = 'npm run proof:image needs';

export type Said = { readonly code: number; readonly out: string; readonly err: string };

export class Engine {
  readonly #folder: string;
  readonly #words: readonly string[];

  static async open(folder: string): Promise<Engine> {
    if (process.getuid?.() !== 0)
      throw new BadOption('This needs root, for debootstrap and for the store of the images.');
    for (const name of ['debootstrap', 'runc', 'podman'])
      await requireProgram({
        find: () => [`/usr/bin/${name}`, `/usr/sbin/${name}`].find((path) => existsSync(path)),
        packages: [name],
        neededBy: NEEDED_BY,
      });
    return new Engine(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
    // What also runs inside a virtual machine whose kernel has no overlays and cgroups of both kinds.
    const places = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--tmpdir', join(folder, 'tmp')];
    this.#words = [
      ...places,
      '--storage-driver',
      'vfs',
      '--runtime',
      'runc',
      '--cgroup-manager',
      'cgroupfs',
      '--log-level',
      'fatal',
    ];
  }

  /** What came of it, whatever it was. */
  async ask(...words: readonly string[]): Promise<Said> {
    try {
      const { stdout, stderr } = await run('podman', [...this.#words, ...words], {
        timeout: LIMIT_MS,
        maxBuffer: 64 * 1024 * 1024,
      });
      return { code: 0, out: stdout.trim(), err: stderr.trim() };
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
      if (typeof code !== 'number') throw error;
      return { code, out: stdout.trim(), err: stderr.trim() };
    }
  }

  /** What it printed. Throws when it failed. */
  async must(...words: readonly string[]): Promise<string> {
    const { code, out, err } = await this.ask(...words);
    if (code !== 0) throw new Error(`podman ${words.join(' ')} ended with ${code}: ${out}\n${err}`);
    return out;
  }

  async sizeOf(image: string): Promise<number> {
    return Number(await this.must('image', 'inspect', '--format', '{{.Size}}', image));
  }

  /** Ends all containers, and removes all that is there. */
  async close(): Promise<void> {
    await this.ask('rm', '--all', '--force', '--time', '0');
    await this.ask('umount', '--all', '--force');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
