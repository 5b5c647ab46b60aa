// The banner after the start. Its curl lines are not indented, so that they can be copied.
import { isIPv6 } from 'node:net';
import { alignRows } from '../ops/print.ts';
import type { KeylessSandbox, Sandbox } from './sandbox.ts';
import { version } from '../ops/version.ts';

export type Started = {
  /** The local address of the service. */
  readonly localUrl: string;
  /** The public address, if it is set. */
  readonly publicUrl: string | undefined;
  readonly sandbox: Sandbox | KeylessSandbox | undefined;
  /** The file with the sandbox's keys, if they must not be shown because the output is not a terminal. */
  readonly keysFile: string | undefined;
  readonly demo: boolean;
  /** The address of the console, if there is one, or a one-time sign-in link. */
  readonly consoleUrl: string | undefined;
  readonly database: string;
  /** Whether this process delivers events. */
  readonly deliveries: boolean;
  /** How to run a command in another shell. */
  readonly command: string;
  /** The number of serving processes. */
  readonly processes: number;
  /** The address of the metrics, if they have their own port. */
  readonly metricsUrl: string | undefined;
};

const NAMED_LOCALHOST = new Set(['127.0.0.1', '::1', '0.0.0.0', '::']);

export function localUrlOf(host: string, port: number): string {
  const name = NAMED_LOCALHOST.has(host) ? 'localhost' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

const EXAMPLE_ORDER = `{
  "order": {
    "items": [{ "reference": "mug", "name": "Mug", "quantity": 2, "unit": "pcs", "unitPrice": 4000,
      "taxRate": 2500, "taxAmount": 2000, "netTotalAmount": 8000, "grossTotalAmount": 10000 }],
    "amount": 10000, "currency": "SEK", "reference": "order-1"
  },
  "checkout": { "url": "https://shop.example/checkout" }
}`;

/** A line of shell that reads the key, for the following lines. */
const readKeyLine = (file: string): string =>
  `KEY=$(sed -n 's/.*"secretKey": "\\(.*\\)".*/\\1/p' '${file.replaceAll("'", String.raw`'\''`)}')`;

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

export function bannerOf(started: Started): string {
  const { localUrl, publicUrl, sandbox, keysFile, demo, consoleUrl, database, deliveries, command } = started;
  const { processes, metricsUrl } = started;
  const isDemoThere = demo && sandbox !== undefined && 'secretKey' in sandbox;
  const rows = [
    ['API', `${localUrl}/v1`],
    ...(publicUrl === undefined ? [] : [['Public', `${publicUrl}/v1`]]),
    ['Docs', `${localUrl}/docs`],
    ...(isDemoThere ? [['Demo shop', `${publicUrl ?? localUrl}/demo`]] : []),
    ...(consoleUrl === undefined ? [] : [['Console', consoleUrl]]),
    ...(metricsUrl === undefined ? [] : [['Metrics', metricsUrl]]),
    ['Database', database],
    ...(processes === 1 ? [] : [['Processes', String(processes)]]),
    ...(deliveries ? [] : [['Deliveries', 'off: start kassa worker']]),
  ];
  const title = `Kassa ${version} is running. Ctrl-C stops it.`;
  if (sandbox === undefined || !('secretKey' in sandbox)) {
    const hint =
      sandbox === undefined
        ? `Create a merchant and its keys:  ${command} merchant create --name "My shop"`
        : `The sandbox's key is missing; create another one:  ${command} key create ${sandbox.merchantId}`;
    return `\n${indent(`${title}\n\n${alignRows(rows)}\n\n${hint}`)}\n`;
  }
  rows.push(['Merchant', `${sandbox.merchantId}, a sandbox`]);
  if (keysFile === undefined) rows.push(['Secret key', sandbox.secretKey], ['Checkout key', sandbox.checkoutKey]);
  else rows.push(['Sandbox keys', `in ${keysFile}`]);
  const authorization =
    keysFile === undefined ? `-H 'Authorization: ${sandbox.secretKey}'` : '-H "Authorization: $KEY"';
  return [
    '',
    indent(`${title}\n\n${alignRows(rows)}\n\nCreate a payment:\n`),
    ...(keysFile === undefined ? [] : [readKeyLine(keysFile)]),
    `curl -sS ${localUrl}/v1/payments ${authorization} \\`,
    `  -H 'Content-Type: application/json' -d '${EXAMPLE_ORDER}'`,
    '',
    indent('Reserve it, as a completed checkout does, with the paymentId from the response:\n'),
    `curl -sS -X POST ${localUrl}/v1/sandbox/payments/PAYMENT_ID/reserve ${authorization}`,
    '',
  ].join('\n');
}
