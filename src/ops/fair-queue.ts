// A queue in which tenants take turns. It limits how much runs at once, in all and per tenant, and how much waits.
// Several queues can count a tenant together, so that using all of them at once gains nothing.
import { Lines } from './lines.ts';
import type { Verdict, Waiter, WaitingBounds } from './lines.ts';
import { Room } from './room.ts';

/** The queue is full, or the work waited too long, lost its place to another tenant, or was withdrawn. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
}

export type QueueLimits<Tenant> = {
  /** Under way at once. */
  readonly ofAll?: number;
  readonly ofTenant?: number;
  readonly waiting: WaitingBounds;
  /** Milliseconds until the tenant may begin the next one. */
  readonly msUntil?: (tenant: Tenant) => number;
};

type Asking<Tenant> = {
  readonly tenant: Tenant;
  readonly bytes?: number;
  /** Waits for its turn; call `leave` at the end. */
  readonly begin: (leave: () => void) => void;
  readonly refuse: () => void;
};

/** Queues that count a tenant together. */
export class Together<Tenant> {
  readonly #ofTenant: number;
  readonly #room = new Room();
  readonly #queues = new Set<FairQueue<Tenant>>();

  constructor(ofTenant: number) {
    this.#ofTenant = ofTenant;
  }

  /** Puts the queue last in the order of turns, as after each start of its work. */
  add(queue: FairQueue<Tenant>): void {
    this.#queues.delete(queue);
    this.#queues.add(queue);
  }

  /** Takes a slot for the tenant; the result gives it back and starts what is next. */
  enter(queue: FairQueue<Tenant>, tenant: Tenant): Leave | undefined {
    const leave = this.#room.take([[tenant, this.#ofTenant]]);
    if (leave === undefined) return undefined;
    this.add(queue);
    return () => {
      leave();
      for (const each of this.#queues) each.letOn();
    };
  }
}

type Leave = () => void;

export class FairQueue<Tenant> {
  readonly limits: QueueLimits<Tenant>;
  readonly #together: Together<Tenant>;
  readonly #lines: Lines<Waiter<Tenant> & Asking<Tenant>, Tenant>;
  readonly #room = new Room();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: QueueLimits<Tenant>, together = new Together<Tenant>(Number.POSITIVE_INFINITY)) {
    this.limits = limits;
    this.#together = together;
    this.#lines = new Lines(limits.waiting, ({ refuse }) => refuse());
    together.add(this);
  }

  /** Returns a function that takes it out of the queue; that gives false if it no longer waits. */
  add(asking: Asking<Tenant>): () => boolean {
    const { tenant, bytes = 0 } = asking;
    const one = { ...asking, bytes, since: performance.now() };
    // If others of its tenant wait, it has to wait too.
    const leave = !this.#lines.has(tenant) && this.#msUntil(tenant) === 0 ? this.#enter(tenant) : undefined;
    if (leave) asking.begin(leave);
    else if (this.#lines.add(one)) this.letOn();
    else asking.refuse();
    return () => this.#lines.remove(one);
  }

  /** Does the work when its turn comes; throws NoTurn if it does not. */
  run<Result>(
    { tenant, bytes, signal }: { readonly tenant: Tenant; readonly bytes?: number; readonly signal?: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const begin = (leave: Leave): void => resolve(work().finally(leave));
      const refuse = (): void => reject(new NoTurn());
      const forget = this.add({ tenant, ...(bytes !== undefined && { bytes }), begin, refuse });
      signal?.addEventListener('abort', () => forget() && refuse(), { once: true });
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
    const leaveTogether = leave && this.#together.enter(this, tenant);
    const leaveBoth = (): void => {
      leave?.();
      leaveTogether?.();
    };
    if (leaveTogether) return leaveBoth;
    leave?.();
    return undefined;
  }

  /** Begins whatever may begin, in turn. */
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

  /** Begins everything that waits, regardless of limits. */
  letAllOn(): void {
    for (const { begin } of this.#lines.take(() => 'take')) begin(() => {});
  }
}
