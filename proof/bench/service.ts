// The Kassa that is measured: a real process with the settings of a first start, on the embedded Postgres. And a plain
// client for the few requests that are not measured.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Sandbox } from '../../src/start/sandbox.ts';
import { launch, mainOf, root as ownRoot, SERVICE_READY, whenReady } from '../program.ts';
import type { Program } from '../program.ts';
import type { Usage } from './measure.ts';

export type Service = {
  readonly port: number;
  readonly secretKey: string;
  /** For the sandbox, or for the merchant of another key. */
  send(method: string, path: string, body?: object, key?: string): Promise<string>;
  /** What the process used since its start. */
  usage(): Promise<Omit<Usage, 'requests'>>;
  /** What it holds of the machine's memory now. */
  memoryMb(): Promise<number>;
  stop(): Promise<void>;
};

export type ServiceOptions = {
  readonly dataDir: string;
  readonly log?: string | null | undefined;
  readonly profile: string | undefined;
  /** The checkout that is started; this one by default. */
  readonly root?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
};

// What configures a Kassa of ours must not reach the one that is measured.
const isForeign = (name: string): boolean => !/^(KASSA_.*|PORT|HOST|DATABASE_URL|NODE_OPTIONS)$/.test(name);

export const environmentOf = (env: Readonly<Record<string, string>>): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isForeign(name))),
  ...env,
});

/** Those that a Kassa of that checkout is started with; one of before has none. */
async function flagsOf(root = ownRoot): Promise<readonly string[]> {
  const place = join(root, 'bin', 'node-flags.js');
  if (!existsSync(place)) return [];
  return ((await import(place)) as { NODE_FLAGS: readonly string[] }).NODE_FLAGS;
}

async function launchService({ dataDir, log = null, profile, root, env = {} }: ServiceOptions): Promise<Program> {
  const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', resolve(profile)];
  return launch(['serve'], {
    command: [process.execPath, ...(await flagsOf(root)), ...profiling, mainOf(root)],
    env: environmentOf({ ...env, PORT: '0', KASSA_DATA_DIR: dataDir }),
    // A Ctrl-C in the terminal must not reach it: the bench stops it, once, and waits.
    detached: true,
    log,
  });
}

/** One figure of the metrics page. */
export function figureIn(page: string, name: string): number {
  const line = page.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const program = await launchService(options);
  const stop = async (): Promise<void> => void (await program.end('SIGTERM'));
  try {
    const port = Number(await whenReady(program, SERVICE_READY));
    // What a service makes of itself once it has run for a minute, in seconds of a processor, is not what is measured.
    await fetch(`http://127.0.0.1:${port}/docs`).then((page) => page.text());
    const { secretKey } = JSON.parse(await readFile(join(options.dataDir, 'sandbox.json'), 'utf8')) as Sandbox;
    return { port, secretKey, stop, ...clientOf(`http://127.0.0.1:${port}`, secretKey) };
  } catch (error) {
    await stop();
    throw new Error('the service did not start; --log FILE shows why', { cause: error });
  }
}

function clientOf(url: string, secretKey: string): Pick<Service, 'send' | 'usage' | 'memoryMb'> {
  const metrics = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
  return {
    send: async (method, path, body, key = secretKey) => {
      const headers = { authorization: key, 'content-type': 'application/json' };
      const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text;
    },
    usage: async () => {
      const page = await metrics();
      return {
        cpuSeconds: figureIn(page, 'process_cpu_seconds_total'),
        commits: figureIn(page, 'kassa_group_size_count{kind="commit"}'),
        committed: figureIn(page, 'kassa_group_size_sum{kind="commit"}'),
        loads: figureIn(page, 'kassa_group_size_count{kind="load"}'),
        loaded: figureIn(page, 'kassa_group_size_sum{kind="load"}'),
      };
    },
    memoryMb: async () => figureIn(await metrics(), 'process_resident_memory_bytes') / 1_048_576,
  };
}
