// Checks the certificates of the endpoints that events are sent to, with a TLS handshake and no request. It only connects
// to addresses that events may be sent to.
import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { connect } from 'node:tls';
import { hostOf, refuseAddress } from '../../events/addresses.ts';
import type { Reach } from '../../events/addresses.ts';
import { leaveForbidden } from '../../events/sender.ts';
import type { Probed } from './doctor-findings.ts';

const TIMEOUT_MS = 5_000;
const MOST_AT_ONCE = 8;

export type Endpoint = { readonly url: string; readonly reach: Reach };

const allowedLookup =
  (reach: Reach): LookupFunction =>
  (name, options, answer) =>
    lookup(name, { ...options, all: true }, (error, addresses) => {
      const refused = error ?? addresses.map(({ address }) => refuseAddress(address, reach)).find(Boolean);
      const [first] = addresses ?? [];
      if (refused !== undefined || first === undefined)
        answer(refused instanceof Error ? refused : new Error(`it ${refused ?? 'has no address'}`), '');
      else if (options.all) answer(null, addresses);
      else answer(null, first.address, first.family);
    });

export function probe({ url, reach }: Endpoint, timeoutMs = TIMEOUT_MS): Promise<Probed> {
  const parsed = new URL(url);
  const { host } = parsed;
  const name = hostOf(parsed);
  const port = Number(parsed.port || 443);
  return new Promise((resolve) => {
    const socket = connect({
      host: name,
      port,
      lookup: allowedLookup(reach),
      // An untrusted certificate is reported below, with its expiry date.
      rejectUnauthorized: false,
      ...(isIP(name) === 0 && { servername: name.replace(/\.$/, '') }),
    });
    const end = (probed: Probed): void => {
      socket.destroy();
      resolve(probed);
    };
    leaveForbidden(socket, reach);
    socket.setTimeout(timeoutMs, () => end({ host, away: `no response within ${timeoutMs / 1_000} s` }));
    socket.once('error', ({ message }) => end({ host, away: message }));
    socket.once('close', () => end({ host, away: 'connection closed' }));
    socket.once('secureConnect', () => {
      const endsAtMs = Date.parse(socket.getPeerCertificate().valid_to);
      const fault = socket.authorized ? undefined : String(socket.authorizationError);
      if (Number.isNaN(endsAtMs)) end({ host, away: 'no certificate' });
      else end({ host, endsAtMs, ...(fault !== undefined && { fault }) });
    });
  });
}

/** A few at a time, each host once. */
export async function probeAll(
  endpoints: readonly Endpoint[],
  most: number,
): Promise<{ readonly probed: Probed[]; readonly leftOut: number }> {
  const byHost = new Map(endpoints.map((endpoint) => [new URL(endpoint.url).host, endpoint]));
  const waiting = [...byHost.values()].slice(0, most);
  const probed: Probed[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) probed.push(await probe(next));
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
  return {
    probed: probed.toSorted((one, other) => (one.host < other.host ? -1 : 1)),
    leftOut: byHost.size - Math.min(byHost.size, most),
  };
}
