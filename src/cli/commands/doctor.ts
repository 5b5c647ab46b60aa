// `kassa doctor`: looks at all that Kassa needs, and says of each whether it is well and what to do where it is not. It
// changes nothing and makes no database. Exit code 1 where something fails, 2 where it could not look.
import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { breaksIdempotency } from '../../config.ts';
import { BadConfig } from '../../config/bad-config.ts';
import { isReachedFromHereAlone, reachesPrivate } from '../../config/reach.ts';
import { roomOf } from '../../database/full-disk.ts';
import { reachOf } from '../../events/addresses.ts';
import { tryAcquirer } from '../../merchants/acquirers.ts';
import { alignRows, print } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { commit, version } from '../../ops/version.ts';
import { findAddress } from '../../start/address-file.ts';
import { requireOneDatabase, requireSessions } from '../../start/check-sessions.ts';
import { isWithoutDatabase, sessionConfigOf, withDatabaseAsItIs } from '../../start/database.ts';
import { explainDatabaseError } from '../../start/explain.ts';
import { readDoctorsView } from '../../store/schema/doctors-view.ts';
import { DatabaseMisfit } from '../../store/schema/database-misfit.ts';
import { JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command, Invocation } from '../terminal/command.ts';
import { knockAtAll } from './doctor-endpoints.ts';
import { judgeAcquirers, judgeClock, judgeEndpoints, judgeRoom, judgeServer, worstOf } from './doctor-findings.ts';
import type { Finding } from './doctor-findings.ts';

// Each takes seconds at worst, and eight are asked at once.
const MOST_ENDPOINTS = 100;
/** Of one process that serves; docs/operate/run.md says so. */
const CONNECTIONS = 31;
const READY_MS = 5_000;

/** The settings; undefined where they cannot be used, with why. */
function readSettings(invocation: Invocation): { readonly config?: Config; readonly findings: Finding[] } {
  try {
    const { config } = invocation;
    return { config, findings: judgeSettings(config) };
  } catch (error) {
    if (!(error instanceof BadConfig || error instanceof UserError)) throw error;
    return { findings: [{ subject: 'settings', state: 'fail', says: error.message }] };
  }
}

function judgeSettings(config: Config): Finding[] {
  const warn = (says: string): Finding => ({ subject: 'settings', state: 'warn', says });
  const isOpen = !isReachedFromHereAlone(config);
  const found = [
    breaksIdempotency(config) &&
      warn('KASSA_RETAIN_IDEMPOTENCY is shorter than 7d: a request that is repeated after it can be made twice.'),
    isOpen &&
      config.publicUrl === undefined &&
      warn('KASSA_PUBLIC_URL is not set: links in pages and events lead to the listening address.'),
    isOpen && reachesPrivate(config) && warn('KASSA_PRIVATE_HOOKS is on: every test key can reach private addresses.'),
  ].filter((finding) => finding !== false);
  return found.length > 0 ? found : [{ subject: 'settings', state: 'ok', says: 'All settings can be used together.' }];
}

const versions = (): Finding => ({
  subject: 'versions',
  state: 'ok',
  says: `Kassa ${version}${commit === undefined ? '' : ` (${commit.slice(0, 12)})`}, Node ${process.versions.node}, ${process.platform} ${process.arch}.`,
});

async function askService(config: Config): Promise<Finding> {
  const url = findAddress(config.dataDir);
  if (url === undefined) return { subject: 'service', state: 'ok', says: `None runs on ${resolve(config.dataDir)}.` };
  const why = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READY_MS) }).then(
    async (answer) => (answer.ok ? undefined : `status ${answer.status}: ${(await answer.text()).slice(0, 200)}`),
    (error: Error) => error.message,
  );
  if (why === undefined) return { subject: 'service', state: 'ok', says: `It is ready at ${url}.` };
  return { subject: 'service', state: 'fail', says: `It is not ready at ${url} (${why}): look at its log.` };
}

function lookAtDisk({ databaseUrl, dataDir }: Config): Finding {
  const folder = resolve(dataDir);
  const room = databaseUrl === undefined ? roomOf(folder) : undefined;
  if (room !== undefined && room.bytes > 0) return judgeRoom({ folder, ...room });
  const says =
    databaseUrl === undefined
      ? `The system does not tell of the disk of ${folder}.`
      : 'The database keeps its data elsewhere: look at the disk there.';
  return { subject: 'disk', state: 'ok', says };
}

async function lookAtDatabase(config: Config): Promise<Finding[]> {
  await requireSessions(config);
  await requireOneDatabase(config);
  return withDatabaseAsItIs(config, async (pool) => {
    const { apartMs, server, endpoints, acquirers } = await readDoctorsView(pool, MOST_ENDPOINTS);
    const connectionsNeeded = (config.processes + 1) * CONNECTIONS;
    const own = config.publicUrl?.startsWith('https:') ? [{ url: config.publicUrl, reach: 'home' } as const] : [];
    const isHome = reachesPrivate(config);
    const theirs = endpoints.map(({ url, live }) => ({ url, reach: reachOf(live, isHome) }));
    const [{ knocked, leftOut }, tried] = await Promise.all([
      knockAtAll([...own, ...theirs], MOST_ENDPOINTS),
      Promise.all(
        acquirers.map(async (access) => ({
          name: access.name,
          trouble: await tryAcquirer(access, config.acquirerTimeoutMs),
        })),
      ),
    ]);
    return [
      ...judgeServer({ ...server, connectionsNeeded }),
      judgeClock(apartMs),
      ...judgeEndpoints(knocked, leftOut, Date.now()),
      ...judgeAcquirers(tried),
    ];
  });
}

/** What is wrong with the database is a finding like any other. */
async function tryDatabase(config: Config): Promise<Finding[]> {
  if (isWithoutDatabase(config))
    return [
      {
        subject: 'database',
        state: 'warn',
        says: `There is none in ${resolve(config.dataDir)} yet: kassa serve makes one.`,
      },
    ];
  try {
    return await lookAtDatabase(config);
  } catch (error) {
    const told = explainDatabaseError(error, sessionConfigOf(config));
    if (!(told instanceof UserError || told instanceof DatabaseMisfit)) throw error;
    return [{ subject: 'database', state: 'fail', says: told.message }];
  }
}

export const doctorCommand: Command = {
  troubleCode: 2,
  judgesSettings: true,
  usage: '[--json]',
  more: 'It changes nothing and shows no secret; it may run beside the service or without one. Exit code 1 where something fails.',
  options: { json: JSON_OPTION },
  run: async (invocation) => {
    const { config, findings } = readSettings(invocation);
    findings.push(versions());
    if (config !== undefined) {
      findings.push(await askService(config), lookAtDisk(config));
      findings.push(...(await tryDatabase(config)));
    }
    const worst = worstOf(findings);
    if (invocation.options['json']) printJson({ state: worst, findings });
    else print(alignRows(findings.map(({ state, subject, says }) => [state, subject, says])));
    return worst === 'fail' ? 1 : 0;
  },
};
