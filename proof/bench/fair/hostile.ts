// The hostile merchant, in a process of its own: carries out acts until it is told to stop, and then says what it did so
// far and how much processor time it took. It is also whoever its hooks point at: somebody who listens and never answers.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { ActName } from './act-names.ts';
import type { Act } from './acts.ts';
import { Drain } from './drain.ts';

export type Order =
  | { readonly kind: 'listen' }
  | { readonly kind: 'begin'; readonly port: number; readonly acts: readonly Act[] }
  | { readonly kind: 'end' };

/** Answers by status of each act; 0 is a connection that ended without one. */
export type Deeds = {
  readonly counts: Readonly<Partial<Record<ActName, Readonly<Record<number, number>>>>>;
  /** Of all of its time, how much it was busy: 1 is one core. */
  readonly cpuShare: number;
};

const PIPELINED = 32;
// Long enough that printing has begun.
const LEAVES_AFTER_MS = 20;
const READS_FOR_MS = 1_000;
const COMES_AGAIN_AFTER_MS = 50;

const LEAVING: Partial<Record<Act['manner'], number>> = { leaves: LEAVES_AFTER_MS, 'reads a while': READS_FOR_MS };

const counts: Partial<Record<ActName, Record<number, number>>> = {};
const open = new Set<Drain>();
let isOver = false;
let begun = { atMs: 0, cpu: process.cpuUsage() };
const spent = { ms: 0, cpuMs: 0 };

function count(name: ActName, status: number): void {
  const statuses = (counts[name] ??= {});
  statuses[status] = (statuses[status] ?? 0) + 1;
}

/** One connection of an act; when it ends, another one takes its place. */
function act(port: number, { name, manner, requests }: Act, next: () => Uint8Array): void {
  if (isOver) return;
  let underWay = 0;
  const send = (times: number): void => {
    underWay += times;
    for (let n = 0; n < times; n += 1) drain.send(next());
  };
  const again = (): void => {
    open.delete(drain);
    if (isOver) return;
    if (!LEAVING[manner] && underWay > 0) count(name, 0);
    setTimeout(() => act(port, { name, manner, requests, connections: 1 }, next), COMES_AGAIN_AFTER_MS);
  };
  const answered = (status: number): void => {
    count(name, status);
    underWay -= 1;
    if (underWay === 0) send(manner === 'pipelines' ? PIPELINED : 1);
  };
  const drain = new Drain(port, answered, again);
  open.add(drain);
  send(manner === 'pipelines' ? PIPELINED : 1);
  if (manner === 'reads nothing') drain.stopReading();
  const leavesAfterMs = LEAVING[manner];
  if (leavesAfterMs === undefined) return;
  setTimeout(() => {
    count(name, 0);
    drain.close();
  }, leavesAfterMs);
}

function begin(port: number, acts: readonly Act[]): void {
  isOver = false;
  begun = { atMs: performance.now(), cpu: process.cpuUsage() };
  for (const each of acts) {
    let at = 0;
    const next = (): Uint8Array => {
      at = (at + 1) % each.requests.length;
      return each.requests[at] as Uint8Array;
    };
    for (let n = 0; n < each.connections; n += 1) act(port, each, next);
  }
}

function end(): Deeds {
  isOver = true;
  const { user, system } = process.cpuUsage(begun.cpu);
  spent.ms += performance.now() - begun.atMs;
  spent.cpuMs += (user + system) / 1_000;
  for (const drain of open) drain.close();
  return { counts, cpuShare: spent.cpuMs / spent.ms };
}

// Whoever sends something here waits for ever.
const hanging = createServer((socket) => socket.on('error', () => {}).resume());

process.on('message', (order: Order) => {
  if (order.kind === 'listen')
    hanging.listen(0, '0.0.0.0', () => process.send?.((hanging.address() as AddressInfo).port));
  else if (order.kind === 'begin') {
    begin(order.port, order.acts);
    process.send?.('begun');
  } else process.send?.(end());
});
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
