// Knocks at the endpoints that events are sent to, for the sake of their certificates: a handshake and no request. It
// connects to no address that events would not be sent to.
import { connect } from 'node:tls';
import { refuseAddress } from '../../events/addresses.ts';
import type { Reach } from '../../events/addresses.ts';
import { hostOf, leaveForbidden, lookupBy, serverNameOf } from '../../outbound/exchange.ts';
import type { Knocked } from './doctor-findings.ts';

const TIMEOUT_MS = 5_000;
const MOST_AT_ONCE = 8;

export type Endpoint = { readonly url: string; readonly reach: Reach };

export function knock({ url, reach }: Endpoint, timeoutMs = TIMEOUT_MS): Promise<Knocked> {
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
      // Whether it is trusted is told below, with when it ends.
      rejectUnauthorized: false,
      servername: serverNameOf(name),
    });
    const end = (knocked: Knocked): void => {
      socket.destroy();
      resolve(knocked);
    };
    leaveForbidden(socket, refuse);
    socket.setTimeout(timeoutMs, () => end({ host, away: `no answer within ${timeoutMs / 1_000} s` }));
    socket.once('error', ({ message }) => end({ host, away: message }));
    socket.once('close', () => end({ host, away: 'it closed the connection' }));
    socket.once('secureConnect', () => {
      const endsAtMs = Date.parse(socket.getPeerCertificate().valid_to);
      const fault = socket.authorized ? undefined : String(socket.authorizationError);
      if (Number.isNaN(endsAtMs)) end({ host, away: 'it shows no certificate' });
      else end({ host, endsAtMs, ...(fault !== undefined && { fault }) });
    });
  });
}

/** A few at once, each host once. */
export async function knockAtAll(
  endpoints: readonly Endpoint[],
  most: number,
): Promise<{ readonly knocked: Knocked[]; readonly leftOut: number }> {
  const byHost = new Map(endpoints.map((endpoint) => [new URL(endpoint.url).host, endpoint]));
  const waiting = [...byHost.values()].slice(0, most);
  const knocked: Knocked[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) knocked.push(await knock(next));
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
  return {
    knocked: knocked.toSorted((one, other) => (one.host < other.host ? -1 : 1)),
    leftOut: byHost.size - Math.min(byHost.size, most),
  };
}
