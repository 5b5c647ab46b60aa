// How kassa doctor judges what it has checked. Each finding is a line with the state and, on a problem, what to do. No
// finding contains a secret: of an address it shows only the host.
import { showBytes } from '../../database/full-disk.ts';
import { countOf } from '../terminal/command.ts';

export type Finding = {
  readonly subject: 'settings' | 'versions' | 'service' | 'database' | 'clock' | 'disk' | 'endpoint' | 'acquirer';
  readonly state: 'ok' | 'warn' | 'fail';
  readonly says: string;
};

const DAY_MS = 86_400_000;
// Most clients renew certificates 30 days before they expire: after half of that, renewal has probably failed.
const SOON_MS = 14 * DAY_MS;
// Authenticator codes and sign-in tokens tolerate a minute.
const APART_MS = 2_000;
const FAR_APART_MS = 60_000;
// A new database takes 60 MB, and Postgres needs space for its write-ahead log.
const SCARCE_BYTES = 2e9;
const NO_ROOM_BYTES = 100e6;

/** The database's clock counts; `apartMs` is how far this machine is ahead of it. */
export function judgeClock(apartMs: number): Finding {
  const seconds = `${(Math.abs(apartMs) / 1_000).toFixed(1)} s ${apartMs < 0 ? 'behind' : 'ahead of'} the database's`;
  if (Math.abs(apartMs) < APART_MS)
    return { subject: 'clock', state: 'ok', says: 'The clocks of this machine and the database agree.' };
  const state = Math.abs(apartMs) < FAR_APART_MS ? 'warn' : 'fail';
  return { subject: 'clock', state, says: `This machine's clock is ${seconds}: synchronize both with NTP.` };
}

export type Room = { readonly folder: string; readonly freeBytes: number; readonly bytes: number };

export function judgeRoom({ folder, freeBytes, bytes }: Room): Finding {
  const free = `${showBytes(freeBytes)} of ${showBytes(bytes)} free on the disk of ${folder}`;
  if (freeBytes >= SCARCE_BYTES) return { subject: 'disk', state: 'ok', says: `${free}.` };
  const state = freeBytes < NO_ROOM_BYTES ? 'fail' : 'warn';
  return { subject: 'disk', state, says: `${free}: free up space before the database stops.` };
}

export type Server = {
  readonly postgres: string;
  readonly schema: number;
  readonly lacking: number;
  /** Server settings that risk losing committed data. */
  readonly unsafe: readonly string[];
  readonly connections: number;
  readonly connectionsNeeded: number;
  readonly bytes: number;
};

export function judgeServer(server: Server): Finding[] {
  const { postgres, schema, lacking, unsafe, connections, connectionsNeeded, bytes } = server;
  const warn = (says: string): Finding => ({ subject: 'database', state: 'warn', says });
  const found = [
    lacking > 0 &&
      warn(
        `The database is at version ${schema}; ${countOf(lacking, 'migration')} missing: run kassa migrate, or restart the service.`,
      ),
    unsafe.length > 0 &&
      warn(`The server has ${unsafe.join(' and ')} turned off and can lose committed data in a crash: turn it on.`),
    connections < connectionsNeeded &&
      warn(
        `The server allows ${connections} connections, but Kassa may need ${connectionsNeeded}: raise max_connections, or lower KASSA_PROCESSES.`,
      ),
  ].filter((finding) => finding !== false);
  if (found.length > 0) return found;
  return [
    {
      subject: 'database',
      state: 'ok',
      says: `Connected to Postgres ${postgres}; schema version ${schema}, ${showBytes(bytes)}.`,
    },
  ];
}

/** The result of probing an endpoint: when its certificate expires, or why it could not be read. */
export type Probed =
  | { readonly host: string; readonly endsAtMs: number; readonly fault?: string }
  | { readonly host: string; readonly away: string };

function judgeEndpoint(probed: Probed, nowMs: number): Finding | undefined {
  const { host } = probed;
  if ('away' in probed)
    return {
      subject: 'endpoint',
      state: 'warn',
      says: `Cannot connect to ${host}: ${probed.away}. Check the endpoint and the network.`,
    };
  const { endsAtMs, fault } = probed;
  const day = new Date(endsAtMs).toISOString().slice(0, 10);
  if (endsAtMs <= nowMs)
    return { subject: 'endpoint', state: 'fail', says: `The certificate of ${host} expired on ${day}: renew it.` };
  if (fault !== undefined)
    return {
      subject: 'endpoint',
      state: 'fail',
      says: `The certificate of ${host} is not trusted: ${fault}. Install one for that name, with its full chain.`,
    };
  if (endsAtMs < nowMs + SOON_MS)
    return { subject: 'endpoint', state: 'warn', says: `The certificate of ${host} expires on ${day}: renew it.` };
  return undefined;
}

/** Valid certificates are summed up in one line; `leftOut` endpoints were not checked. */
export function judgeEndpoints(all: readonly Probed[], leftOut: number, nowMs: number): Finding[] {
  const found = all.map((probed) => judgeEndpoint(probed, nowMs)).filter((finding) => finding !== undefined);
  const good = all.length - found.length;
  if (leftOut > 0)
    found.push({
      subject: 'endpoint',
      state: 'warn',
      says: `${countOf(leftOut, 'more endpoint')} not checked: there are too many.`,
    });
  if (good > 0)
    found.unshift({
      subject: 'endpoint',
      state: 'ok',
      says: `${countOf(good, 'endpoint certificate')} valid.`,
    });
  return found.length > 0 ? found : [{ subject: 'endpoint', state: 'ok', says: 'No endpoints with certificates.' }];
}

/** `trouble`: what is wrong, if anything. */
export function judgeAcquirers(
  all: readonly { readonly name: string; readonly trouble: string | undefined }[],
): Finding[] {
  if (all.length === 0) return [{ subject: 'acquirer', state: 'ok', says: 'No acquirers besides the simulator.' }];
  return all.map(({ name, trouble }) =>
    trouble === undefined
      ? { subject: 'acquirer', state: 'ok', says: `${name} responds and accepts its key.` }
      : {
          subject: 'acquirer',
          state: 'fail',
          says: `${name} does not work: ${trouble}. Correct its address or key with kassa acquirer add ${name}.`,
        },
  );
}

export const worstOf = (findings: readonly Finding[]): Finding['state'] =>
  (['fail', 'warn'] as const).find((state) => findings.some((finding) => finding.state === state)) ?? 'ok';
