// Whether a request comes from a person at this machine: not through a proxy or a tunnel, and not from a stranger's page
// whose hostname was made to resolve here.
import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** ::ffff:127.0.0.1 is how a dual-stack socket reports 127.0.0.1. */
function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return isIPv4(plain) ? plain.startsWith('127.') : plain === '::1';
}

export function isOfThisMachine({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return (name.toLowerCase() === 'localhost' || isLoopback(name)) && isLoopback(socket.remoteAddress ?? '');
}
