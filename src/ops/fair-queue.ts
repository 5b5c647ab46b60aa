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
  /** Of tenants with something under way: the queues in which it began, the latest last. */
  readonly #begun = new Map<Tenant, Set<FairQueue<Tenant>>>();

  constructor(ofTenant: number) {
    this.#ofTenant = ofTenant;
  }

  add(queue: FairQueue<Tenant>): void {
    this.#queues.add(queue);
  }

  /** Takes a slot for the tenant; the result gives it back and begins what waits, its least recently used queue first. */
  enter(queue: FairQueue<Tenant>, tenant: Tenant): Leave | undefined {
    const leave = this.#room.take([[tenant, this.#ofTenant]]);
    if (leave === undefined) return undefined;
    const begun = this.#begun.get(tenant) ?? new Set();
    begun.delete(queue);
    this.#begun.set(tenant, begun.add(queue));
    return () => {
      leave();
      const others = [...this.#queues].filter((each) => !begun.has(each));
      for (const each of [...others, ...begun]) if (each === queue || each.has(tenant)) each.letOn();
      if (this.#room.held(tenant) === 0) this.#begun.delete(tenant);
    };
  }
}

type Leave = () => void;

export class FairQueue<Tenant> {
  readonly limits: QueueLimits<Tenant>;
  readonly #together: Together<Tenant> | undefined;
  readonly #lines: Lines<Waiter<Tenant> & Asking<Tenant>, Tenant>;
  readonly #room = new Room();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #isLettingOn = false;
  #mustLookAgain = false;

  constructor(limits: QueueLimits<Tenant>, together?: Together<Tenant>) {
    this.limits = limits;
    this.#together = together;
    this.#lines = new Lines(limits.waiting, ({ refuse }) => refuse());
    together?.add(this);
  }

  has(tenant: Tenant): boolean {
    return this.#lines.has(tenant);
  }

  /** Returns a function that takes it out of the queue; that gives false if it no longer waits. */
  add(asking: Asking<Tenant>): () => boolean {
    const { tenant, bytes = 0 } = asking;
    const one = { ...asking, bytes, since: performance.now() };
    const ms = this.#msUntil(tenant);
    // If others of its tenant wait, it has to wait too.
    const leave = !this.has(tenant) && ms === 0 ? this.#enter(tenant) : undefined;
    if (leave) asking.begin(leave);
    else if (!this.#lines.add(one)) asking.refuse();
    else if (ms > 0) this.#letOnIn(ms);
    return () => this.#lines.remove(one);
  }

  /** Does the work when its turn comes; throws NoTurn if it does not. */
  run<Result>(
    { tenant, bytes, signal }: { readonly tenant: Tenant; readonly bytes?: number; readonly signal?: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const begin = (leave: Leave): void => resolve((async () => work())().finally(leave));
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
    if (leave === undefined) return undefined;
    if (this.#together === undefined)
      return () => {
        leave();
        // Its place is of use to others only where there are so many for all.
        if (ofAll < Number.POSITIVE_INFINITY || this.has(tenant)) this.letOn();
      };
    const leaveTogether = this.#together.enter(this, tenant);
    if (leaveTogether)
      return () => {
        leave();
        leaveTogether();
      };
    leave();
    return undefined;
  }

  /** Begins what may begin, in turn. Work may end as it begins and call this again: then it looks once more. */
  letOn(): void {
    this.#mustLookAgain = true;
    if (this.#isLettingOn) return;
    this.#isLettingOn = true;
    try {
      while (this.#mustLookAgain) this.#mustLookAgain = this.#letOnOneOfEach();
    } finally {
      this.#isLettingOn = false;
    }
  }

  /** What begins can change when its tenant may begin the next one, so one of each is begun. Whether there may be more. */
  #letOnOneOfEach(): boolean {
    const { ofAll = Number.POSITIVE_INFINITY } = this.limits;
    const leaves = new Map<Tenant, Leave>();
    let soonestMs = Number.POSITIVE_INFINITY;
    const judge = ({ tenant }: Asking<Tenant>): Verdict => {
      if (!this.#room.isFree(this, ofAll)) return 'stop';
      if (leaves.has(tenant)) return 'pass';
      const ms = this.#msUntil(tenant);
      if (ms > 0) soonestMs = Math.min(ms, soonestMs);
      const leave = ms > 0 ? undefined : this.#enter(tenant);
      if (leave === undefined) return 'pass';
      leaves.set(tenant, leave);
      return 'take';
    };
    for (const { tenant, begin } of this.#lines.take(judge)) begin(leaves.get(tenant) as Leave);
    this.#letOnIn(soonestMs);
    return leaves.size > 0;
  }

  #letOnIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    const letOn = (): void => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.letOn();
    };
    this.#timer = setTimeout(letOn, Math.ceil(ms)).unref();
  }

  /** Begins everything that waits, regardless of limits. */
  letAllOn(): void {
    for (const { begin } of this.#lines.take(() => 'take')) begin(() => {});
  }
}
