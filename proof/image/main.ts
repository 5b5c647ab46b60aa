// `npm run proof:image`: whether the image of deploy/container can be built and run as its page says, killed and started
// again. It needs root and Debian's podman, runc and debootstrap. It reaches the packages of Debian and of npm, but no
// registry of images: what the Dockerfile begins with is made here. Ends with 1 when a step fails.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packRelease } from '../../scripts/release/pack.ts';
import { startEmbeddedDatabase } from '../../src/database/embedded.ts';
import { print, runByHand } from '../by-hand.ts';
import { root } from '../program.ts';
import { makeBases } from './base.ts';
import type { Bases } from './base.ts';
import { Engine } from './engine.ts';
import { tryImage } from './trial.ts';

const DATA_FOLDER = '/var/lib/kassa';

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(0)} MB`;

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const done = await work();
  print(`${what} in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return done;
}

async function build(engine: Engine, { debian, node }: Bases, context: string, target?: string): Promise<string> {
  const name = `localhost/kassa${target === undefined ? '' : `-${target}`}`;
  const bases = ['--build-arg', `DEBIAN=${debian}`, '--build-arg', `NODE=${node}`];
  // Docker's own format: the other one knows no check of health.
  const how = ['--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--pull=never'];
  const file = join(root, 'deploy', 'container', 'Dockerfile');
  await timed(`${name} built`, () =>
    engine.must(
      'build',
      ...how,
      ...bases,
      ...(target ? ['--target', target] : []),
      '--tag',
      name,
      '--file',
      file,
      context,
    ),
  );
  print(`  ${megabytes(await engine.sizeOf(name))}, of which Debian is ${megabytes(await engine.sizeOf(debian))}`);
  return name;
}

/** Its database elsewhere, its address a file: as compose.yaml has it. */
async function tryWithPostgresOfMine(engine: Engine, image: string, folder: string): Promise<void> {
  const database = await startEmbeddedDatabase({ dataDir: join(folder, 'data') });
  try {
    const secret = join(folder, 'database-url');
    writeFileSync(secret, database.url, { mode: 0o644 });
    await tryImage(engine, image, [
      '--network=host',
      `--volume=${secret}:/run/secrets/database-url:ro`,
      '--env=DATABASE_URL_FILE=/run/secrets/database-url',
    ]);
  } finally {
    await database.stop();
  }
}

await runByHand('image', async (signal) => {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-image-'));
  const engine = await Engine.open(join(folder, 'podman'));
  try {
    const context = join(folder, 'release');
    mkdirSync(context);
    await timed('The package made', () => packRelease(context));
    const bases = await timed('Debian made by debootstrap', () => makeBases(engine, folder));
    const plain = await build(engine, bases, context);
    const withPostgres = await build(engine, bases, context, 'with-postgres');
    signal.throwIfAborted();
    print(`${withPostgres} on its volume`);
    await tryImage(engine, withPostgres, [`--volume=kassa:${DATA_FOLDER}`], DATA_FOLDER);
    signal.throwIfAborted();
    print(`${plain} on a Postgres of its own`);
    await tryWithPostgresOfMine(engine, plain, folder);
    print('All of it held.');
    return 0;
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
