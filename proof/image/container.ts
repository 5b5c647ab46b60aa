// One container of the image as a careful operator runs it: an ordinary user, no capability, a root that nobody can write.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine, Said } from './engine.ts';

const KASSA = ['node', '/opt/kassa/node_modules/kassa/bin/kassa.js'];
// As compose.yaml has it: a drain, and 30 s for what has begun.
const GRACE_S = 45;
const START_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 200;
// Not even the places that podman would make writable by itself.
const CLOSED = ['--read-only', '--read-only-tmpfs=false', '--cap-drop=all', '--security-opt=no-new-privileges'];
// Podman's own are the highest that the kernel knows, which not every root may set.
const LIMITS = ['--ulimit=nofile=8192:8192', '--ulimit=nproc=4096:4096', '--memory=512m'];
// What the kernel shows is not looked at.
const OF_KERNEL = ['/proc', '/sys', '/dev'];

export class Container {
  readonly url: string;
  readonly #engine: Engine;
  readonly #id: string;

  private constructor(engine: Engine, id: string, url: string) {
    this.#engine = engine;
    this.#id = id;
    this.url = url;
  }

  /** The words of a run, for a service or for a command of its own. */
  static words(more: readonly string[]): readonly string[] {
    return ['run', ...CLOSED, ...LIMITS, ...more];
  }

  /** On a network of its own, unless it is to be on the machine's. */
  static async start(engine: Engine, image: string, port: number, more: readonly string[]): Promise<Container> {
    const isOnHost = more.includes('--network=host');
    const where = isOnHost ? `--env=PORT=${port}` : `--publish=127.0.0.1:${port}:8080`;
    const words = Container.words(['--detach', where, ...more, image]);
    return new Container(engine, await engine.must(...words), `http://127.0.0.1:${port}`);
  }

  /** By the check that the image brings. */
  async healthyAfterMs(): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const { code, err } = await this.#engine.ask('healthcheck', 'run', this.#id);
      const tookMs = performance.now() - startedAt;
      if (code === 0) return tookMs;
      if (tookMs > START_LIMIT_MS) throw new Error(`it is not healthy: ${err}\n${await this.log()}`);
      await sleep(LOOK_EVERY_MS);
    }
  }

  async log(): Promise<string> {
    const { out, err } = await this.#engine.ask('logs', this.#id);
    return `${out}\n${err}`;
  }

  kassa(...words: readonly string[]): Promise<Said> {
    return this.#engine.ask('exec', this.#id, ...KASSA, ...words);
  }

  /** What is not as closed as it should be, but for the folders that it keeps things in. */
  async openings(keeps: readonly string[]): Promise<readonly string[]> {
    const status = await this.#engine.must('exec', this.#id, 'cat', '/proc/1/status');
    const has = (line: string): boolean => status.split('\n').includes(line);
    const passed = [...OF_KERNEL, ...keeps].flatMap((path) => ['-o', '-path', path]).slice(1);
    const look = ['find', '/', '(', ...passed, ')', '-prune', '-o', '-writable', '!', '-type', 'l', '-print'];
    // It ends with 1 when there are folders into which it may not look.
    const { out: writable } = await this.#engine.ask('exec', this.#id, ...look);
    return [
      ...(has('Uid:\t10001\t10001\t10001\t10001') ? [] : ['it does not run as the user 10001']),
      ...(has('CapEff:\t0000000000000000') && has('CapBnd:\t0000000000000000') ? [] : ['it has capabilities']),
      ...(has('NoNewPrivs:\t1') ? [] : ['it may get new privileges']),
      ...writable
        .split('\n')
        .filter((path) => path !== '')
        .map((path) => `it can write ${path}`),
    ];
  }

  /** As the kernel does it to a process that takes too much: no word of warning. */
  async kill(): Promise<number> {
    const pid = Number(await this.#engine.must('inspect', '--format', '{{.State.Pid}}', this.#id));
    process.kill(pid, 'SIGKILL');
    return this.#code();
  }

  async stop(): Promise<{ readonly code: number; readonly tookMs: number }> {
    const startedAt = performance.now();
    await this.#engine.must('stop', '--time', String(GRACE_S), this.#id);
    return { code: await this.#code(), tookMs: performance.now() - startedAt };
  }

  async #code(): Promise<number> {
    return Number(await this.#engine.must('wait', this.#id));
  }
}
