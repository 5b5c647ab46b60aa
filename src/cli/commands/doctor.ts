// `kassa doctor`: checks everything that Kassa needs, and suggests how to fix problems. It changes nothing and creates no
// database. Exit code 1 when a check fails, 2 when the checks could not run.
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
import { probeAll } from './doctor-endpoints.ts';
import { judgeAcquirers, judgeClock, judgeEndpoints, judgeRoom, judgeServer, worstOf } from './doctor-findings.ts';
import type { Finding } from './doctor-findings.ts';

// Each takes seconds at worst, and eight are probed at once.
const MOST_ENDPOINTS = 100;
/** Per serving process, as documented in docs/operate/run.md. */
const CONNECTIONS = 31;
const READY_MS = 5_000;

/** The settings; undefined if they are invalid, with a finding that says why. */
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
      warn('KASSA_RETAIN_IDEMPOTENCY is shorter than 7d: a later retry of a request may be carried out twice.'),
    isOpen &&
      config.publicUrl === undefined &&
      warn('KASSA_PUBLIC_URL is not set: links in pages and events point to the listening address.'),
    isOpen &&
      reachesPrivate(config) &&
      warn('KASSA_PRIVATE_HOOKS is on: anyone with a test key can reach private addresses.'),
  ].filter((finding) => finding !== false);
  return found.length > 0 ? found : [{ subject: 'settings', state: 'ok', says: 'All settings are valid.' }];
}

const versions = (): Finding => ({
  subject: 'versions',
  state: 'ok',
  says: `Kassa ${version}${commit === undefined ? '' : ` (${commit.slice(0, 12)})`}, Node ${process.versions.node}, ${process.platform} ${process.arch}.`,
});

async function checkService(config: Config): Promise<Finding> {
  const url = findAddress(config.dataDir);
  if (url === undefined)
    return { subject: 'service', state: 'ok', says: `No service is running on ${resolve(config.dataDir)}.` };
  const why = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READY_MS) }).then(
    async (answer) => (answer.ok ? undefined : `status ${answer.status}: ${(await answer.text()).slice(0, 200)}`),
    (error: Error) => error.message,
  );
  if (why === undefined) return { subject: 'service', state: 'ok', says: `Ready at ${url}.` };
  return { subject: 'service', state: 'fail', says: `Not ready at ${url} (${why}): check its log.` };
}

function checkDisk({ databaseUrl, dataDir }: Config): Finding {
  const folder = resolve(dataDir);
  const room = databaseUrl === undefined ? roomOf(folder) : undefined;
  if (room !== undefined && room.bytes > 0) return judgeRoom({ folder, ...room });
  const says =
    databaseUrl === undefined
      ? `The system does not report the free space of ${folder}.`
      : 'The data is on the database server: check the disk there.';
  return { subject: 'disk', state: 'ok', says };
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  await requireSessions(config);
  await requireOneDatabase(config);
  return withDatabaseAsItIs(config, async (pool) => {
    const { apartMs, server, endpoints, acquirers } = await readDoctorsView(pool, MOST_ENDPOINTS);
    const connectionsNeeded = (config.processes + 1) * CONNECTIONS;
    const own = config.publicUrl?.startsWith('https:') ? [{ url: config.publicUrl, reach: 'home' } as const] : [];
    const isHome = reachesPrivate(config);
    const theirs = endpoints.map(({ url, live }) => ({ url, reach: reachOf(live, isHome) }));
    const [{ probed, leftOut }, tried] = await Promise.all([
      probeAll([...own, ...theirs], MOST_ENDPOINTS),
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
      ...judgeEndpoints(probed, leftOut, Date.now()),
      ...judgeAcquirers(tried),
    ];
  });
}

/** Database errors become findings. */
async function checkDatabaseSafely(config: Config): Promise<Finding[]> {
  if (isWithoutDatabase(config))
    return [
      {
        subject: 'database',
        state: 'warn',
        says: `No database in ${resolve(config.dataDir)} yet: kassa serve creates one.`,
      },
    ];
  try {
    return await checkDatabase(config);
  } catch (error) {
    const explained = explainDatabaseError(error, sessionConfigOf(config));
    if (!(explained instanceof UserError || explained instanceof DatabaseMisfit)) throw error;
    return [{ subject: 'database', state: 'fail', says: explained.message }];
  }
}

export const doctorCommand: Command = {
  troubleCode: 2,
  judgesSettings: true,
  usage: '[--json]',
  more: 'It changes nothing and shows no secrets; the service need not be running. Exit code 1 if a check fails.',
  options: { json: JSON_OPTION },
  run: async (invocation) => {
    const { config, findings } = readSettings(invocation);
    findings.push(versions());
    if (config !== undefined) {
      findings.push(await checkService(config), checkDisk(config));
      findings.push(...(await checkDatabaseSafely(config)));
    }
    const worst = worstOf(findings);
    if (invocation.options['json']) printJson({ state: worst, findings });
    else print(alignRows(findings.map(({ state, subject, says }) => [state, subject, says])));
    return worst === 'fail' ? 1 : 0;
  },
};
