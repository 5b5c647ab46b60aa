// Work that tenants take turns at: so much at once in all and of one tenant, and bounds for what waits.
import { Lines } from './lines.ts';
import type { Verdict, Waiter, WaitingBounds, WhyRefused } from './lines.ts';
import { Room } from './room.ts';

/** It had no turn: too many wait, it waited for too long, or it lost its place in the line to another tenant. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';

  constructor(why: WhyRefused | 'full' | 'left') {
    super(`no turn: ${why}`);
  }
}

export type QueueLimits<Tenant> = {
  /** Under way at once. */
  readonly ofAll?: number;
  readonly ofTenant?: number;
  readonly waiting: WaitingBounds;
  /** Milliseconds until a tenant may begin the next one. */
  readonly msUntil?: (tenant: Tenant) => number;
};

type Asking<Tenant> = {
  readonly tenant: Tenant;
  readonly bytes?: number;
  /** Its turn has come, at once where it is free; ends with a call of `leave`. */
  readonly begin: (leave: () => void) => void;
  readonly refuse: (error: NoTurn) => void;
};

type Leave = () => void;

export class FairQueue<Tenant> {
  readonly limits: QueueLimits<Tenant>;
  readonly #lines: Lines<Waiter<Tenant> & Asking<Tenant>, Tenant>;
  readonly #room = new Room();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: QueueLimits<Tenant>) {
    this.limits = limits;
    this.#lines = new Lines(limits.waiting, ({ refuse }, why) => refuse(new NoTurn(why)));
  }

  /** Gives what takes it out of the line again: false where it does not wait any more. */
  add(asking: Asking<Tenant>): () => boolean {
    const { tenant, bytes = 0 } = asking;
    const one = { ...asking, bytes, since: performance.now() };
    // Where others of its tenant wait, it is not free either.
    const leave = !this.#lines.has(tenant) && this.#msUntil(tenant) === 0 ? this.#enter(tenant) : undefined;
    if (leave) asking.begin(leave);
    else if (this.#lines.add(one)) this.letOn();
    else asking.refuse(new NoTurn('full'));
    return () => this.#lines.remove(one);
  }

  /** Does the work when its turn has come; throws NoTurn where it does not come. */
  run<Result>(
    { tenant, bytes, signal }: { readonly tenant: Tenant; readonly bytes?: number; readonly signal?: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const begin = (leave: Leave): void => resolve(work().finally(leave));
      const forget = this.add({ tenant, ...(bytes !== undefined && { bytes }), begin, refuse: reject });
      signal?.addEventListener('abort', () => forget() && reject(new NoTurn('left')), { once: true });
    });
  }

  #msUntil(tenant: Tenant): number {
    return this.limits.msUntil?.(tenant) ?? 0;
  }

  #enter(tenant: Tenant): Leave | undefined {
    const { ofAll = Number.POSITIVE_INFINITY, ofTenant = Number.POSITIVE_INFINITY } = this.limits;
    const leave = this.#room.take([
      [this, ofAll],
      [tenant, ofTenant],
    ]);
    return (
      leave &&
      (() => {
        leave();
        this.letOn();
      })
    );
  }

  /** Begins what is free to begin, in turn. */
  letOn(): void {
    for (;;) {
      let leave: Leave | undefined;
      let soonestMs = Number.POSITIVE_INFINITY;
      const judge = ({ tenant }: Asking<Tenant>): Verdict => {
        if (leave) return 'stop';
        const ms = this.#msUntil(tenant);
        soonestMs = ms > 0 ? Math.min(ms, soonestMs) : soonestMs;
        leave = ms > 0 ? undefined : this.#enter(tenant);
        return leave ? 'take' : 'pass';
      };
      const [next] = this.#lines.take(judge);
      if (next && leave) next.begin(leave);
      else return this.#letOnIn(soonestMs);
    }
  }

  #letOnIn(ms: number): void {
    clearTimeout(this.#timer);
    if (Number.isFinite(ms)) this.#timer = setTimeout(() => this.letOn(), Math.ceil(ms)).unref();
  }

  /** Begins all that waits, whatever is under way. */
  letAllOn(): void {
    for (const { begin } of this.#lines.take(() => 'take')) begin(() => {});
  }
}
