// Work that tenants take turns at: so much at once in all and of one tenant, and bounds for what waits. Queues of several
// kinds of work may count a tenant together, so that who asks for all kinds at once has no more under way for it.
import { Lines } from './lines.ts';
import type { Verdict, Waiter, WaitingBounds } from './lines.ts';
import { Room } from './room.ts';

/** Too many wait, or it waited for too long, lost its place in the line to another tenant, or left it. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
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

  /** The last in the order of their turns, as is who has just begun something. */
  add(queue: FairQueue<Tenant>): void {
    this.#queues.delete(queue);
    this.#queues.add(queue);
  }

  /** What gives the place back, and lets on who may have it next. */
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

  /** Gives what takes it out of the line again: false where it does not wait any more. */
  add(asking: Asking<Tenant>): () => boolean {
    const { tenant, bytes = 0 } = asking;
    const one = { ...asking, bytes, since: performance.now() };
    // Where others of its tenant wait, it is not free either.
    const leave = !this.#lines.has(tenant) && this.#msUntil(tenant) === 0 ? this.#enter(tenant) : undefined;
    if (leave) asking.begin(leave);
    else if (this.#lines.add(one)) this.letOn();
    else asking.refuse();
    return () => this.#lines.remove(one);
  }

  /** Does the work when its turn has come; throws NoTurn where it does not come. */
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
