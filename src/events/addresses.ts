// Which addresses Kassa connects to on behalf of merchants. A service that can be made to send requests from inside its
// network reaches everything that trusts that network. So endpoints must be on the public internet; test merchants may
// use private addresses if the operator allows it; the machine's own surroundings (link-local, metadata) are always
// refused. A URL is checked when a webhook is created, for a prompt error. The real protection is the check of the
// resolved address when connecting, since a name can point elsewhere by then. An IPv4 address embedded in IPv6 is judged
// as the IPv4 address; net.BlockList only does so for mapped ones, so it is never given any.
import { BlockList, isIP } from 'node:net';
import { hostOf } from '../outbound/exchange.ts';
import { sayFault } from './address-faults.ts';
import type { AddressFault } from './address-faults.ts';

/** live: https to public addresses. public: public addresses. home: private ones as well. */
export type Reach = 'live' | 'public' | 'home';

/** privateHooks: whether test merchants' hooks may reach private addresses here. */
export const reachOf = (live: boolean, privateHooks: boolean): Reach =>
  live ? 'live' : privateHooks ? 'home' : 'public';

type Kind = { readonly name: AddressFault['name']; readonly list: BlockList };

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', bits] = range.split('/');
    list.addSubnet(net, Number(bits), net.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

const kind = (name: Kind['name'], ...ranges: readonly string[]): Kind => ({ name, list: listOf(ranges) });

// Metadata services of cloud providers, which give out credentials of the whole account. Most are link-local, and named
// by that.
const METADATA = kind(
  'metadata',
  '169.254.169.254/32', // nearly all
  '168.63.129.16/32', // Azure
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
  'fd00:c1::a9fe:a9fe/128', // Oracle
  'fd00:ec2::/32', // Amazon
  'fd20:ce::254/128', // Google
  'fd00:42::42/128', // Scaleway
);

const NEVER: readonly Kind[] = [
  METADATA,
  kind('link_local', '169.254.0.0/16', 'fe80::/10'),
  // Connecting to it reaches the machine itself.
  kind('unspecified', '0.0.0.0/8', '::/128'),
  kind('broadcast', '255.255.255.255/32'),
  kind('multicast', '224.0.0.0/4', 'ff00::/8'),
];

const HOME: readonly Kind[] = [
  kind('loopback', '127.0.0.0/8', '::1/128'),
  kind('private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10'),
  // For protocols, documentation, relays, benchmarks and future use, by the IANA registries.
  kind('reserved', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24'),
  kind('reserved', '203.0.113.0/24', '240.0.0.0/4', '2001::/23', '2001:db8::/32', '3fff::/20'),
];

// IANA has allocated no other IPv6 addresses.
const GLOBAL_IPV6 = listOf(['2000::/3']);

const octets = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** The eight words of a well-formed IPv6 address. */
function wordsOf(address: string): number[] {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = [], tail = []] = plain
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16))));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

type Embedding = { readonly prefix: readonly number[]; readonly isLocal?: true; read(words: number[]): string[] };

const inLastWords = (words: number[]): string[] => [octets(words[6], words[7])];

/** A local prefix may embed the address after 48, 56, 64 or 96 bits; results that begin with 0 are not real. */
function inAnyPlace(words: number[]): string[] {
  const bytes = words.flatMap((word) => [word >> 8, word & 255]);
  const places = [
    [6, 7, 9, 10],
    [7, 9, 10, 11],
    [9, 10, 11, 12],
    [12, 13, 14, 15],
  ];
  const read = places.map((place) => place.map((index) => bytes[index]).join('.'));
  const meant = read.filter((address) => !address.startsWith('0.'));
  return meant.length > 0 ? meant : ['0.0.0.0'];
}

const EMBEDDINGS: readonly Embedding[] = [
  { prefix: [0, 0, 0, 0, 0, 0xff_ff], read: inLastWords }, // mapped
  { prefix: [0, 0, 0, 0, 0xff_ff, 0], read: inLastWords }, // translated
  { prefix: [0, 0, 0, 0, 0, 0], read: inLastWords }, // compatible
  { prefix: [0x64, 0xff_9b, 0, 0, 0, 0], read: inLastWords }, // NAT64
  { prefix: [0x64, 0xff_9b, 1], isLocal: true, read: inAnyPlace }, // NAT64 of a network of one's own
  { prefix: [0x20_02], read: (words) => [octets(words[1], words[2])] }, // 6to4
  {
    prefix: [0x20_01, 0], // Teredo: the server, and the client in reverse
    isLocal: true,
    read: (words) => [octets(words[2], words[3]), octets((words[6] ?? 0) ^ 0xff_ff, (words[7] ?? 0) ^ 0xff_ff)],
  },
];

function embeddingOf(words: readonly number[]): Embedding | undefined {
  const isOwn = words.slice(0, 7).every((word) => word === 0) && (words[7] ?? 0) < 2;
  if (isOwn) return undefined; // :: and ::1 mean what they are
  return EMBEDDINGS.find(({ prefix }) => prefix.every((word, index) => words[index] === word));
}

function refuseKind(address: string, family: 'ipv4' | 'ipv6', reach: Reach): AddressFault | undefined {
  const among = (kinds: readonly Kind[]): Kind | undefined => kinds.find(({ list }) => list.check(address, family));
  const never = among(NEVER);
  if (never !== undefined) return { name: never.name };
  if (reach === 'home') return undefined;
  const home = among(HOME);
  return home && { name: home.name, reach };
}

function refuseIpv6(address: string, reach: Reach): AddressFault | undefined {
  const words = wordsOf(address);
  const embedding = embeddingOf(words);
  if (embedding === undefined) {
    const fault = refuseKind(address, 'ipv6', reach);
    if (fault !== undefined || reach === 'home' || GLOBAL_IPV6.check(address, 'ipv6')) return fault;
    return { name: 'not_public', reach };
  }
  for (const inner of embedding.read(words)) {
    const fault = refuseKind(inner, 'ipv4', reach);
    if (fault !== undefined) return fault;
  }
  return reach !== 'home' && embedding.isLocal ? { name: 'not_public', reach } : undefined;
}

function findAddressFault(ip: string, reach: Reach): AddressFault | undefined {
  const family = isIP(ip);
  // A zone selects an interface and does not change the address.
  if (family === 6) return refuseIpv6(ip.replace(/%.*$/, ''), reach);
  return family === 4 ? refuseKind(ip, 'ipv4', reach) : { name: 'no_address' };
}

// Refused by name too, for a prompt error; all of them resolve to forbidden addresses.
const METADATA_NAME = /^(?:metadata|metadata\.google\.internal|metadata\.goog|instance-data(?:\.ec2\.internal)?)$/;
// Names that mean something else in every network.
const HOME_NAME = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/;
const LABELS = /^(?=.{1,253}$)[^.]{1,63}(?:\.[^.]{1,63})*$/;

function refuseName(name: string, reach: Reach): AddressFault | undefined {
  if (!LABELS.test(name)) return { name: 'no_name' };
  if (METADATA_NAME.test(name)) return { name: METADATA.name };
  return reach !== 'home' && HOME_NAME.test(name) ? { name: 'home_name', reach } : undefined;
}

/** Why a URL cannot be used. */
export function findUrlFault(url: string, reach: Reach): AddressFault | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') return { name: 'no_scheme' };
  if (reach === 'live' && parsed.protocol === 'http:') return { name: 'no_tls', reach };
  // Credentials would be stored in the clear and shown with the URL; they belong in an Authorization header.
  if (parsed.username !== '' || parsed.password !== '') return { name: 'login' };
  if (parsed.port === '0') return { name: 'port' };
  const host = hostOf(parsed);
  return isIP(host) === 0 ? refuseName(host.replace(/\.$/, ''), reach) : findAddressFault(host, reach);
}

const inWords = (fault: AddressFault | undefined): string | undefined => fault && sayFault(fault);

/** The same in words, which complete "url …". */
export const refuseUrl = (url: string, reach: Reach): string | undefined => inWords(findUrlFault(url, reach));

/** Why Kassa does not connect to an address; the words complete "url …". */
export const refuseAddress = (ip: string, reach: Reach): string | undefined => inWords(findAddressFault(ip, reach));
