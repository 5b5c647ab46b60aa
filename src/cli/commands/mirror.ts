// `kassa mirror`: a proxy between a shop and the hosted service. The shop gets the hosted responses; each request is then
// repeated at Kassa for a test merchant, and a line shows whether the response has the same status and shape.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { localUrlOf } from '../../start/banner.ts';
import { listenForShutdown } from '../../start/signals.ts';
import { API_OPTIONS, openApi } from '../api/client.ts';
import { openProxy } from '../api/mirror/proxy.ts';
import { Repeater } from '../api/mirror/repeat.ts';
import type { Compared, Exchange } from '../api/mirror/repeat.ts';
import { countOf, JSON_OPTION } from '../terminal/command.ts';
import type { Command, Invocation, Options } from '../terminal/command.ts';
import { readPort } from '../terminal/port.ts';

const DEFAULT_PORT = '8091';
const HOST = '127.0.0.1';
// Requests waiting to be repeated, for a shop that is faster than the mirror; some tens of megabytes at most.
const MOST_WAITING = 200;
const OF_API = /^\/(?:v1|report)\//i;

function readHosted({ hosted }: Options): string {
  const url = typeof hosted === 'string' && URL.canParse(hosted) ? new URL(hosted) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== '')
    throw new UserError(
      '--hosted must be a plain http or https address, for example: kassa mirror --hosted https://test.api.dibspayment.eu',
    );
  return url.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}

const isSame = ({ hosted, kassa, differences }: Compared): boolean => hosted === kassa && differences.length === 0;

function show(compared: Compared): string {
  const { method, route, hosted, kassa, differences, skipped } = compared;
  const head = `${method} ${route}  ${hosted}`;
  if (skipped !== undefined) return `${head}  not repeated: ${skipped}`;
  if (hosted !== kassa) return `${head}  Kassa answers ${kassa}`;
  return [`${head}  ${isSame(compared) ? 'same' : 'differs'}`, ...differences.map((line) => `    ${line}`)].join('\n');
}

/** Compares one response after the other, and counts the results. */
function openComparing(repeater: Repeater, onCompared: (compared: Compared) => void) {
  const counts = { same: 0, different: 0, skipped: 0 };
  let waiting = 0;
  let last = Promise.resolve();
  const compare = async (exchange: Exchange): Promise<void> => {
    const compared = await repeater.repeat(exchange);
    waiting -= 1;
    counts[compared.skipped === undefined ? (isSame(compared) ? 'same' : 'different') : 'skipped'] += 1;
    onCompared(compared);
  };
  return {
    counts,
    add: (exchange: Exchange): void => {
      if (!OF_API.test(exchange.path)) return;
      // Skip failures of the hosted service, and requests beyond the queue.
      if (exchange.status >= 500 || waiting >= MOST_WAITING) {
        counts.skipped += 1;
        return;
      }
      waiting += 1;
      last = last.then(() => compare(exchange));
    },
    finish: () => last,
  };
}

async function run({ config, options }: Invocation): Promise<number> {
  const hosted = readHosted(options);
  const { port = DEFAULT_PORT } = options as { port?: string };
  const wanted = readPort(port);
  const isJson = options['json'] === true;
  const api = await openApi(config, options);
  const comparing = openComparing(new Repeater(api), (compared) =>
    print(isJson ? JSON.stringify({ ...compared, same: isSame(compared) }) : show(compared)),
  );
  const shutdown = listenForShutdown(() => remark('kassa: Stopped immediately, on a second signal.'));
  const server = openProxy(hosted, comparing.add);
  server.listen(wanted, HOST);
  await once(server, 'listening').catch(() => {
    shutdown.stopListening();
    throw new UserError(`Port ${wanted} is not available: choose another one with --port.`);
  });
  const url = localUrlOf(HOST, (server.address() as AddressInfo).port);
  remark(`Mirroring ${hosted} at ${url}, and repeating requests at ${api.url}. Ctrl-C stops it.`);
  const { fault } = await shutdown.requested;
  server.close();
  server.closeIdleConnections();
  await comparing.finish();
  shutdown.stopListening();
  if (fault) throw fault;
  const { same, different, skipped } = comparing.counts;
  remark(
    `${countOf(same + different, 'response')} compared: ${same} same, ${different} different; ${skipped} not repeated.`,
  );
  return different === 0 ? 0 : 1;
}

export const mirrorCommand: Command = {
  usage: '--hosted URL [OPTIONS]',
  more: [
    "Point a shop's test settings at the mirror instead of the hosted API. Only the hosted service answers the shop;",
    'each request is then repeated at Kassa, without hooks, and a payment is paid there once the consumer has paid.',
    'Exit code 1 if a response had a different status or shape.',
  ].join('\n'),
  troubleCode: 2,
  options: {
    hosted: { type: 'string', value: 'URL', what: 'The hosted API, such as https://test.api.dibspayment.eu.' },
    port: { type: 'string', value: 'PORT', what: `Port to listen on. Default: ${DEFAULT_PORT}; 0 picks a free one.` },
    json: { ...JSON_OPTION, what: 'Print each comparison as one line of JSON.' },
    ...API_OPTIONS,
  },
  run,
};
