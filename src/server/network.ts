// Where a request comes from, for limits on attempts: the network of one household, and whether the address is that of a
// proxy that speaks for everybody behind it.
import { BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

// Addresses where private proxies live: loopback, private networks, carrier-grade NAT, link-local.
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

/** A link-local address may carry the name of the link. */
export const isPrivate = (address: string): boolean =>
  PRIVATE.check(address.replace(/%.*$/, ''), isIPv6(address) ? 'ipv6' : 'ipv4');

/** Whether the request was forwarded by a proxy that is not configured as trusted. */
export function isUnnamedProxy({ ip, ips, headers }: FastifyRequest): boolean {
  const forwarded = headers['x-forwarded-for'];
  const named = String(forwarded ?? '').split(',').length;
  // Each trusted proxy has consumed one entry.
  const believed = Math.max(0, (ips?.length ?? 1) - 1);
  return forwarded !== undefined && named > believed && isPrivate(ip);
}

const NETWORK_GROUPS = 4;

/** A household has 2^64 addresses of IPv6, which count as one. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].slice(0, NETWORK_GROUPS).join(':');
}
