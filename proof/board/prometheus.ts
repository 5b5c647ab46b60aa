// Debian's Prometheus, watching programs that listen on another port after each start: it reads where they are from a file.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireProgram } from '../../test/support/debian-package.ts';
import { freePort } from '../../test/support/free-port.ts';
import { launch, root } from '../program.ts';
import type { Program } from '../program.ts';

/** Values by time, in seconds; what is missing was not there. */
export type Series = {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly (readonly [at: number, value: number])[];
};
export type Span = { readonly from: number; readonly to: number; readonly step: number };
export type Target = { readonly name: string; readonly url: string };

export const SCRAPE_EVERY_S = 2;

const READY_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 100;

export class Prometheus {
  readonly #program: Program;
  readonly #url: string;
  readonly #targets: string;

  private constructor(program: Program, url: string, targets: string) {
    this.#program = program;
    this.#url = url;
    this.#targets = targets;
  }

  static async open(folder: string): Promise<Prometheus> {
    const program = await requireProgram({
      find: () => ['/usr/bin/prometheus'].find((path) => existsSync(path)),
      packages: ['prometheus'],
      neededBy: 'the picture of the board needs',
    });
    mkdirSync(folder, { recursive: true });
    const targets = join(folder, 'targets.json');
    writeFileSync(targets, '[]');
    const settings = {
      global: { scrape_interval: `${SCRAPE_EVERY_S}s`, evaluation_interval: `${SCRAPE_EVERY_S}s` },
      rule_files: [join(root, 'deploy/prometheus/kassa-rules.yaml')],
      scrape_configs: [{ job_name: 'kassa', file_sd_configs: [{ files: [targets], refresh_interval: '1s' }] }],
    };
    // YAML takes JSON.
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(settings));
    const address = `127.0.0.1:${await freePort()}`;
    const words = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=warn',
    ];
    const started = launch(words, { command: [program], env: {}, detached: true });
    const prometheus = new Prometheus(started, `http://${address}`, targets);
    await prometheus.#untilReady();
    return prometheus;
  }

  async #untilReady(): Promise<void> {
    const deadline = performance.now() + READY_LIMIT_MS;
    const isReady = (): Promise<boolean> =>
      fetch(`${this.#url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) {
      if (performance.now() > deadline || this.#program.child.exitCode !== null)
        throw new Error(`Prometheus does not start: ${this.#program.err()}`);
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** They keep their names, wherever they are. */
  watch(targets: readonly Target[]): void {
    const groups = targets.map(({ name, url }) => ({ targets: [new URL(url).host], labels: { instance: name } }));
    writeFileSync(`${this.#targets}.new`, JSON.stringify(groups));
    renameSync(`${this.#targets}.new`, this.#targets);
  }

  async ask(query: string, { from, to, step }: Span): Promise<readonly Series[]> {
    const words = new URLSearchParams({ query, start: String(from), end: String(to), step: String(step) });
    const answer = await fetch(`${this.#url}/api/v1/query_range?${words.toString()}`);
    const { data, error } = (await answer.json()) as {
      data?: { result: { metric: Record<string, string>; values: [number, string][] }[] };
      error?: string;
    };
    if (data === undefined) throw new Error(`Prometheus refuses ${query}: ${error}`);
    return data.result.map(({ metric, values }) => ({
      labels: metric,
      points: values.map(([at, value]) => [at, Number(value)] as const).filter(([, value]) => Number.isFinite(value)),
    }));
  }

  async close(): Promise<void> {
    await this.#program.end('SIGTERM');
  }
}
