// The ports that Kassa listens on, for the API, /metrics and the console.
import { readPublicUrl } from './addresses.ts';
import { BadConfig } from './bad-config.ts';
import { isOfKubernetes } from './names.ts';
import type { Setting } from './settings.ts';

export function readPort(name: Setting, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new BadConfig(`${name} is ${JSON.stringify(text)}; it must be a number from 0 to 65535.`);
  return port;
}

/** A Kubernetes service named kassa-metrics or kassa-console sets these variables by accident. */
export const readOwnPort = (name: 'KASSA_METRICS_PORT' | 'KASSA_CONSOLE_PORT', text: string): number | undefined =>
  isOfKubernetes(name, text) ? undefined : readPort(name, text);

/** Only compares ports that are set: a worker does not listen on PORT. */
export function refuseOnePort(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [one, other] of [
    ['PORT', 'KASSA_METRICS_PORT'],
    ['PORT', 'KASSA_CONSOLE_PORT'],
    ['KASSA_CONSOLE_PORT', 'KASSA_METRICS_PORT'],
  ] as const) {
    const [first, second] = [environment[one], environment[other]];
    if (first && second && Number(first) !== 0 && Number(first) === Number(second))
      throw new BadConfig(`${one} and ${other} are both ${Number(first)}; they must differ.`);
  }
}

export type ConsolePlace = {
  /** Whether people can enter the console. */
  readonly console: boolean;
  /** Where the console and /metrics are served instead of on the port of the API; undefined: there. */
  readonly consolePort: number | undefined;
  /** At which people reach that port; undefined: where it listens. */
  readonly consoleUrl: string | undefined;
};

/** Where people look after payments, if anywhere; with a port of its own it may have an address of its own. */
export function readConsolePlace(isThere: boolean, setting: (name: Setting) => string): ConsolePlace {
  const consolePort = readOwnPort('KASSA_CONSOLE_PORT', setting('KASSA_CONSOLE_PORT'));
  const consoleUrl = readPublicUrl('KASSA_CONSOLE_URL', setting('KASSA_CONSOLE_URL'));
  if (!isThere && consolePort !== undefined)
    throw new BadConfig(
      'KASSA_CONSOLE_PORT is set, but KASSA_CONSOLE is off; KASSA_METRICS_PORT is for /metrics alone.',
    );
  if (consoleUrl !== undefined && consolePort === undefined)
    throw new BadConfig('KASSA_CONSOLE_URL is set, but KASSA_CONSOLE_PORT is not: the console is at KASSA_PUBLIC_URL.');
  return { console: isThere, consolePort, consoleUrl };
}
