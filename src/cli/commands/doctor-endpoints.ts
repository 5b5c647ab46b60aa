// Checks the certificates of the endpoints that events are sent to, with a TLS handshake and no request. It only connects
// to addresses that events may be sent to.
import { connect } from 'node:tls';
import { refuseAddress } from '../../events/addresses.ts';
import type { Reach } from '../../events/addresses.ts';
import { hostOf, leaveForbidden, lookupBy, serverNameOf } from '../../outbound/exchange.ts';
import type { Probed } from './doctor-findings.ts';

const TIMEOUT_MS = 5_000;
const MOST_AT_ONCE = 8;

export type Endpoint = { readonly url: string; readonly reach: Reach };

export function probe({ url, reach }: Endpoint, timeoutMs = TIMEOUT_MS): Promise<Probed> {
  const parsed = new URL(url);
  const { host } = parsed;
  const name = hostOf(parsed);
  const port = Number(parsed.port || 443);
  const refuse = (address: string): string | undefined => {
    const refusal = refuseAddress(address, reach);
    return refusal && `it ${refusal}`;
  };
  return new Promise((resolve) => {
    const socket = connect({
      host: name,
      port,
      lookup: lookupBy(undefined, refuse),
      // An untrusted certificate is reported below, with its expiry date.
      rejectUnauthorized: false,
      servername: serverNameOf(name),
    });
    const end = (probed: Probed): void => {
      socket.destroy();
      resolve(probed);
    };
    leaveForbidden(socket, refuse);
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
