// Reads the hosts file and resolv.conf. It reads them rarely and synchronously, since async file calls share a few threads
// that may be busy.
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

/** How long a change of a file may go unnoticed. */
const LOOK_EVERY_MS = 5_000;
// Larger files are ignored, since reading them would block the thread.
const LARGEST_BYTES = 1_048_576;

export const HOSTS_FILE =
  process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts';
export const RESOLV_FILE = '/etc/resolv.conf';

type Read = { readonly text: string; readonly stamp: string };

function readIfThere(path: string, before: Read | undefined): Read {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.size > LARGEST_BYTES) return { text: '', stamp: '' };
  const stamp = `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
  return before?.stamp === stamp ? before : { text: readFileSync(path, 'utf8'), stamp };
}

/** The content of the file, at most a few seconds old; empty if it cannot be read. */
export function watchFile<Said>(path: string, parse: (text: string) => Said): () => Said {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let read: Read | undefined;
  let said = parse('');
  return () => {
    if (performance.now() - lookedAt < LOOK_EVERY_MS) return said;
    lookedAt = performance.now();
    try {
      const now = readIfThere(path, read);
      if (now !== read) said = parse(now.text);
      read = now;
    } catch {
      // Keep the last content.
    }
    return said;
  };
}

const linesOf = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.replace(/[#;].*$/, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));

export type Hosts = ReadonlyMap<string, readonly string[]>;

export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const [address = '', ...names] of linesOf(text)) {
    if (isIP(address.replace(/%.*$/, '')) === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      const known = hosts.get(name) ?? [];
      if (!known.includes(address)) hosts.set(name, [...known, address]);
    }
  }
  return hosts;
}

export type Completion = {
  /** Search domains for short names, in order. */
  readonly search: readonly string[];
  /** Names with at least this many dots are first tried as they are. */
  readonly ndots: number;
  /** The name server lines; a change means new name servers. */
  readonly servers: string;
};

const MOST_SEARCHED = 6;
const MOST_DOTS = 15;

export function parseResolv(text: string): Completion {
  let search: readonly string[] = [];
  let ndots = 1;
  const servers: string[] = [];
  for (const [key, ...values] of linesOf(text)) {
    if (key === 'search' || key === 'domain') search = values.slice(0, MOST_SEARCHED);
    if (key === 'nameserver') servers.push(...values);
    const dots = key === 'options' ? values.join(' ').match(/\bndots:(\d+)/)?.[1] : undefined;
    if (dots !== undefined) ndots = Math.min(Number(dots), MOST_DOTS);
  }
  const plain = search.map((domain) => domain.replaceAll(/^\.+|\.+$/g, '')).filter((domain) => domain !== '');
  return { search: plain, ndots, servers: servers.join(' ') };
}
