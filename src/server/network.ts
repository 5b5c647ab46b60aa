// From where a request comes, for those who count tries by it: a network that is one household, and whether the address is
// that of a proxy which speaks for everybody behind it.
import { BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

// Where proxies of one's own live: this machine, private networks, those that providers share out, links.
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6');

/** A link's address may carry the name of the link. */
export const isPrivate = (address: string): boolean =>
  PRIVATE.check(address.replace(/%.*$/, ''), isIPv6(address) ? 'ipv6' : 'ipv4');

/** Whether the address says in whose name it asks, and nobody said that it is to be believed. */
export function isUnnamedProxy({ ip, ips, headers }: FastifyRequest): boolean {
  const forwarded = headers['x-forwarded-for'];
  const named = String(forwarded ?? '').split(',').length;
  // Of those that are believed, each has used up one name.
  const believed = Math.max(0, (ips?.length ?? 1) - 1);
  return forwarded !== undefined && named > believed && isPrivate(ip);
}

const NETWORK_GROUPS = 4;

/** One household of version 6 has 2^64 addresses: it counts as one. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].slice(0, NETWORK_GROUPS).join(':');
}
