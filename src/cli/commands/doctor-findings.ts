// What kassa doctor makes of what it has seen: each finding is a line that says how it is and, if that is not well, what to
// do. No finding repeats a secret: of an address it names the host alone.
import { showBytes } from '../../database/full-disk.ts';
import { countOf } from '../terminal/command.ts';

export type Finding = {
  readonly subject: 'settings' | 'versions' | 'service' | 'database' | 'clock' | 'disk' | 'endpoint' | 'acquirer';
  readonly state: 'ok' | 'warn' | 'fail';
  readonly says: string;
};

const DAY_MS = 86_400_000;
// Most authorities renew 30 days before the end; where nobody has for half of that, nobody will.
const SOON_MS = 14 * DAY_MS;
// Codes of authenticator apps and tokens of a sign-in provider bear a minute; events and the log are read side by side.
const APART_MS = 2_000;
const FAR_APART_MS = 60_000;
// A new database takes 60 MB, and Postgres needs room for its log.
const SCARCE_BYTES = 2e9;
const NO_ROOM_BYTES = 100e6;

/** The database's clock decides; `apartMs` is what this machine's is ahead of it. */
export function judgeClock(apartMs: number): Finding {
  const seconds = `${(Math.abs(apartMs) / 1_000).toFixed(1)} s ${apartMs < 0 ? 'behind' : 'ahead of'} the database's`;
  if (Math.abs(apartMs) < APART_MS)
    return { subject: 'clock', state: 'ok', says: 'The clocks of this machine and of the database agree.' };
  const state = Math.abs(apartMs) < FAR_APART_MS ? 'warn' : 'fail';
  return { subject: 'clock', state, says: `This machine's clock is ${seconds}: let both follow a time server (NTP).` };
}

export type Room = { readonly folder: string; readonly freeBytes: number; readonly bytes: number };

export function judgeRoom({ folder, freeBytes, bytes }: Room): Finding {
  const free = `${showBytes(freeBytes)} of ${showBytes(bytes)} are free on the disk of ${folder}`;
  if (freeBytes >= SCARCE_BYTES) return { subject: 'disk', state: 'ok', says: `${free}.` };
  const state = freeBytes < NO_ROOM_BYTES ? 'fail' : 'warn';
  return { subject: 'disk', state, says: `${free}: make room there before the database stops.` };
}

export type Server = {
  readonly postgres: string;
  readonly schema: number;
  readonly lacking: number;
  /** Settings of the server that let it lose what was answered. */
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
        `The database is at version ${schema} and lacks ${countOf(lacking, 'migration')}: kassa migrate applies them, and so does the next start.`,
      ),
    unsafe.length > 0 &&
      warn(
        `The server has ${unsafe.join(' and ')} off and can lose what was answered when its machine fails: switch it on.`,
      ),
    connections < connectionsNeeded &&
      warn(
        `The server allows ${connections} connections, and the processes may need ${connectionsNeeded}: raise max_connections, or set KASSA_PROCESSES lower.`,
      ),
  ].filter((finding) => finding !== false);
  if (found.length > 0) return found;
  return [
    {
      subject: 'database',
      state: 'ok',
      says: `Postgres ${postgres} answers; its schema is at version ${schema}, of ${showBytes(bytes)}.`,
    },
  ];
}

/** What came of knocking at an endpoint: when its certificate ends, or why there is none to trust. */
export type Knocked =
  | { readonly host: string; readonly endsAtMs: number; readonly fault?: string }
  | { readonly host: string; readonly away: string };

function judgeEndpoint(knocked: Knocked, nowMs: number): Finding | undefined {
  const { host } = knocked;
  if ('away' in knocked)
    return {
      subject: 'endpoint',
      state: 'warn',
      says: `${host} cannot be reached: ${knocked.away}. Look at the endpoint and the network.`,
    };
  const { endsAtMs, fault } = knocked;
  const day = new Date(endsAtMs).toISOString().slice(0, 10);
  if (endsAtMs <= nowMs)
    return { subject: 'endpoint', state: 'fail', says: `The certificate of ${host} ended on ${day}: renew it.` };
  if (fault !== undefined)
    return {
      subject: 'endpoint',
      state: 'fail',
      says: `The certificate of ${host} is not trusted: ${fault}. Install one for that name, with its chain.`,
    };
  if (endsAtMs < nowMs + SOON_MS)
    return { subject: 'endpoint', state: 'warn', says: `The certificate of ${host} ends on ${day}: renew it.` };
  return undefined;
}

/** Those in order are one line together; `leftOut`: how many were not looked at. */
export function judgeEndpoints(all: readonly Knocked[], leftOut: number, nowMs: number): Finding[] {
  const found = all.map((knocked) => judgeEndpoint(knocked, nowMs)).filter((finding) => finding !== undefined);
  const good = all.length - found.length;
  if (leftOut > 0)
    found.push({
      subject: 'endpoint',
      state: 'warn',
      says: `${countOf(leftOut, 'more endpoint')} were not looked at: there are too many.`,
    });
  if (good > 0)
    found.unshift({
      subject: 'endpoint',
      state: 'ok',
      says: `${countOf(good, 'certificate')} of endpoints ${good === 1 ? 'is' : 'are'} valid.`,
    });
  return found.length > 0
    ? found
    : [{ subject: 'endpoint', state: 'ok', says: 'No endpoint has a certificate to look at.' }];
}

/** `trouble`: what is wrong with each, if anything. */
export function judgeAcquirers(
  all: readonly { readonly name: string; readonly trouble: string | undefined }[],
): Finding[] {
  if (all.length === 0) return [{ subject: 'acquirer', state: 'ok', says: 'There are none but the simulator.' }];
  return all.map(({ name, trouble }) =>
    trouble === undefined
      ? { subject: 'acquirer', state: 'ok', says: `${name} answers and takes its key.` }
      : {
          subject: 'acquirer',
          state: 'fail',
          says: `${name} does not work: ${trouble}. kassa acquirer add ${name} corrects its address and key.`,
        },
  );
}

export const worstOf = (findings: readonly Finding[]): Finding['state'] =>
  (['fail', 'warn'] as const).find((state) => findings.some((finding) => finding.state === state)) ?? 'ok';
