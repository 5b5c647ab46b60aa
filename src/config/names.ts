// Refuses unknown KASSA_ variables, since a misspelt setting must not be silently ignored. Variables that Kubernetes sets
// are allowed.
import { BadConfig, UnknownSetting } from './bad-config.ts';
import { SECRETS, SETTINGS, fileNameOf, isSetting } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

// Variables that Kubernetes sets in every pod for a service named kassa or kassa-something.
const OF_KUBERNETES =
  /^KASSA_(?:[A-Z0-9_]+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/;
const PORT_OF_KUBERNETES = /^KASSA_(?:[A-Z0-9_]+_)?PORT$/;

/** KASSA_PORT is judged by its value, since it may be a mistake for PORT. */
export const isOfKubernetes = (name: string, value = ''): boolean =>
  OF_KUBERNETES.test(name) || (PORT_OF_KUBERNETES.test(name) && /^(?:tcp|udp|sctp):\/\/|^$/i.test(value));

export function refuseUnknown(environment: Environment): void {
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('KASSA_') && !isSetting(name) && !isOfKubernetes(name, environment[name]),
  );
  if (unknown.includes('KASSA_PORT')) throw new BadConfig('Unknown setting KASSA_PORT; did you mean PORT?');
  if (unknown.length === 0) return;
  const known = [...SECRETS.map(fileNameOf), ...Object.keys(SETTINGS)].filter((name) => name.startsWith('KASSA_'));
  throw new UnknownSetting(unknown, known);
}
