// The path of every change, as a state machine; each step returns the next:
//
//   load → decide → record → commit → end; with a remote acquirer: commit → execute → finish → end
//   load → decide → confirm → end, if nothing is to be written
//
// A commit must pass its gate, or everything starts over with the current state. After a crash before the commit,
// nothing was done. After a later crash, the movement is pending and the key has its record: the resolver
// continues, and a repeated request finds the outcome. While it is unknown whether a commit was accepted, no answer
// says that it was not.
import { AcquirerAway } from '../acquirers/circuit-breaker.ts';
import type { ProtectedAcquirer } from '../acquirers/circuit-breaker.ts';
import { altered } from '../domain/decision.ts';
import type { Change } from '../domain/decision.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import type { Subscription } from '../domain/subscription.ts';
import { checkpoint } from '../ops/checkpoints.ts';
import { Overloaded } from '../store/connections/group.ts';
import { DatabaseAway, OutcomeUnknown } from '../store/connections/pool.ts';
import type { Timeline } from '../store/connections/timeline.ts';
import type { Committed } from '../store/payments/commit.ts';
import type { CommitRequest, NewIdempotencyRecord } from '../store/payments/commit-request.ts';
import { recordRefusal } from '../store/payments/subscriptions.ts';
import { isLocal } from './acquirers.ts';
import { keyNameOf } from './idempotency.ts';
import type { Keyed } from './idempotency.ts';
import { executionIn, pendingOutcome } from './outcome.ts';
import type { Execution, Pending } from './outcome.ts';
import { LONGEST_TRY_MS } from './payment-lock.ts';
import type { PaymentLock } from './payment-lock.ts';
import type { Payments } from './service.ts';

type Outcome = { readonly kind: string };

/** What is written, and its gate: what must be unchanged since the decision. */
type Gated =
  /** The version of the payment. */
  | { readonly gate: 'payment'; readonly before: Payment; readonly change: Change }
  /** Its id and its key are new: its payment and its record are inserted. */
  | { readonly gate: 'create'; readonly change: Change }
  /** The version of the subscription. A refusal recorded for a key has no payment. */
  | {
      readonly gate: 'subscription';
      readonly subscription: Subscription;
      readonly day: string;
      readonly change?: Change;
    };

/** A movement that is executed after the commit, and its outcome at any later time. */
type Intent<Decided> = {
  readonly execution: Execution;
  readonly execute: (
    payments: Payments,
    acquirer: ProtectedAcquirer,
    execution: Execution,
    until: number,
  ) => Promise<Execution>;
  readonly outcomeOf: (execution: Execution) => Decided;
};

type Proposal<Decided> = Gated &
  Pick<CommitRequest, 'made' | 'act' | 'ownTryMs'> & {
    /** Its outcome with its commit. */
    readonly outcome: Decided;
    readonly intent?: Intent<Decided> | undefined;
  };

/** With a key. */
type Recorded = { readonly record?: NewIdempotencyRecord | undefined };

export type State<Subject, Decided, Found> =
  /** Nothing is known, or not any more. */
  | { readonly step: 'load' }
  | { readonly step: 'decide'; readonly subject: Subject }
  | { readonly step: 'record'; readonly proposal: Proposal<Decided> }
  | ({ readonly step: 'commit'; readonly proposal: Proposal<Decided> } & Recorded)
  /** With a timeline: another process has committed it. */
  | ({ readonly step: 'execute'; readonly timeline?: Timeline | undefined } & Intent<Decided> & Recorded)
  | ({ readonly step: 'finish' } & Intent<Decided> & Recorded)
  /** It follows from what was found, and not from a commit of this run. */
  | { readonly step: 'confirm'; readonly outcome: Decided | Found; readonly timeline: Timeline | undefined }
  | { readonly step: 'end'; readonly outcome: Decided | Found | Pending };

type In<Step, Decided> = Extract<State<never, Decided, never>, { readonly step: Step }>;

export const LOAD = { step: 'load' } as const;

/** What an operation defines: how to find what it changes, and how to decide. */
export type Steps<Subject, Decided extends Outcome, Found extends Outcome> = {
  /** What its key identifies. */
  readonly target: string;
  readonly keyed?: Keyed<Decided> | undefined;
  /** It cannot be undone, so a refusal also shows that no earlier try was committed. */
  readonly isRefusalFinal?: boolean | undefined;
  readonly load: (run: Held) => Promise<State<Subject, Decided, Found>>;
  readonly decide: (
    subject: Subject,
    run: Held,
  ) => State<Subject, Decided, Found> | Promise<State<Subject, Decided, Found>>;
};

/** What a run holds; the lock is on its payment. */
type Held = { readonly giveUpAt: number; lock?: PaymentLock | undefined };

// At the lock, only other processes cause conflicts; this many are a defect, not a race.
const MOST_TRIES = 1_000;

/** The movement of a change that its remote acquirer must execute or call back. */
export const intendedIn = ({ moved }: Change, movementsBefore = 0): Movement | undefined =>
  moved.find(
    ({ state, sequence, details, acquirer }) =>
      state === 'pending' && (sequence > movementsBefore || details?.cancelAsked === true) && !isLocal(acquirer),
  );

export const perform = <Subject, Decided extends Outcome, Found extends Outcome>(
  payments: Payments,
  steps: Steps<Subject, Decided, Found>,
): Promise<Decided | Found | Pending> => new Run(payments, steps).run();

class Run<Subject, Decided extends Outcome, Found extends Outcome> implements Held {
  readonly giveUpAt = performance.now() + LONGEST_TRY_MS;
  lock: PaymentLock | undefined;
  readonly #payments: Payments;
  readonly #steps: Steps<Subject, Decided, Found>;
  /** A call at the acquirer; `until` is its deadline, by a monotonic clock. */
  #slot: { readonly acquirer: ProtectedAcquirer; readonly until: number; readonly leave: () => void } | undefined;
  #loads = 0;
  /** `unclear`: one of them may have been committed. */
  #tries: 'not_let_in' | 'unclear' = 'not_let_in';

  constructor(payments: Payments, steps: Steps<Subject, Decided, Found>) {
    this.#payments = payments;
    this.#steps = steps;
  }

  async run(): Promise<Decided | Found | Pending> {
    try {
      let state: State<Subject, Decided, Found> = LOAD;
      while (state.step !== 'end') state = await this.#next(state);
      return state.outcome;
    } catch (error) {
      const isTakenForNotDone =
        error instanceof Overloaded ||
        error instanceof AcquirerAway ||
        (error instanceof DatabaseAway && !(error instanceof OutcomeUnknown));
      throw this.#tries === 'unclear' && isTakenForNotDone
        ? new OutcomeUnknown('what an earlier try came to is not known', { cause: error })
        : error;
    } finally {
      this.#unlock();
      this.#leave();
    }
  }

  #next(
    state: State<Subject, Decided, Found>,
  ): State<Subject, Decided, Found> | Promise<State<Subject, Decided, Found>> {
    switch (state.step) {
      case 'load':
        this.#loads += 1;
        if (this.#loads > MOST_TRIES || performance.now() >= this.giveUpAt)
          throw new Overloaded(`a change of ${this.#steps.target} lost to others for too long`);
        return this.#steps.load(this);
      case 'decide':
        return this.#steps.decide(state.subject, this);
      case 'record':
        return this.#record(state.proposal);
      case 'commit':
        return this.#commit(state);
      case 'execute':
        return this.#execute(state);
      case 'finish':
        return this.#finish(state);
      case 'confirm':
        return this.#confirm(state);
      case 'end':
        return state;
    }
  }

  /**
   * What a key records: the answer, or the movement whose outcome will be the answer. The answer is built without a key
   * as well: if it cannot be built, nothing is done.
   */
  #record(proposal: Proposal<Decided>): In<'commit', Decided> {
    const { target, keyed } = this.#steps;
    if (keyed === undefined) return { step: 'commit', proposal };
    const { outcome, intent } = proposal;
    const { operation, idempotency, recordAnswer, lasting = false } = keyed;
    const recorded = intent ? undefined : recordAnswer(outcome);
    const kept = recorded ? { recorded } : { movementId: intent?.execution.movement.id ?? '' };
    const paymentId = subjectOf(proposal);
    return {
      step: 'commit',
      proposal: recorded ? { ...proposal, outcome: { ...outcome, recorded } } : proposal,
      record: idempotency && { ...idempotency, operation, target, paymentId, lasting, ...kept },
    };
  }

  /** Once committed, the next request at the lock receives the payment. */
  async #commit({ proposal, record }: In<'commit', Decided>): Promise<State<never, Decided, never>> {
    const { outcome, intent } = proposal;
    if (intent) {
      await checkpoint('decided', intent.execution.payment.id);
      await this.#enter(intent.execution);
    }
    const committed = await write(this.#payments, proposal, record).catch((error) => {
      this.lock?.forget();
      throw error;
    });
    if (committed !== 'committed') {
      if (committed === 'unclear') this.#tries = 'unclear';
      this.lock?.forget();
      this.#leave();
      return LOAD;
    }
    const { target, keyed } = this.#steps;
    if (proposal.gate === 'payment')
      this.lock?.committed(proposal.before, proposal.change.payment, keyed && keyNameOf(keyed, target));
    return intent ? { step: 'execute', ...intent, record } : { step: 'end', outcome };
  }

  /** Other requests may change the payment meanwhile. */
  async #execute({ timeline, ...intent }: In<'execute', Decided>): Promise<In<'finish', Decided>> {
    const { execution, execute } = intent;
    this.#unlock();
    if (timeline) await this.#payments.store.confirm(timeline);
    const { acquirer, until } = this.#slot ?? (await this.#enter(execution));
    await checkpoint('intent committed', execution.payment.id);
    return { ...intent, step: 'finish', execution: await execute(this.#payments, acquirer, execution, until) };
  }

  async #finish({ execution, outcomeOf, record }: In<'finish', Decided>): Promise<In<'end', Decided>> {
    const outcome = outcomeOf(execution);
    const isPromise = execution.movement.state === 'pending' && outcome.kind !== 'pending';
    const given = isPromise && record ? await this.#keepPromise(execution, outcomeOf, record) : outcome;
    await checkpoint('before answer', execution.payment.id);
    return { step: 'end', outcome: given };
  }

  /**
   * A success that is answered while its movement is open is recorded first: repeated requests get it again, whatever
   * the movement's outcome. Until then the outcome of the key is open, and if it cannot be recorded, nothing is
   * promised.
   */
  async #keepPromise(
    execution: Execution,
    outcomeOf: Intent<Decided>['outcomeOf'],
    { target, paymentId }: NewIdempotencyRecord,
  ): Promise<Decided | Pending> {
    const { store, acquirers } = this.#payments;
    const { id: movementId, acquirer } = execution.movement;
    try {
      const given = await perform<Execution, Decided, never>(this.#payments, {
        target,
        keyed: this.#steps.keyed,
        load: async () => {
          const { payment, timeline } = await store.load({ merchantId: null, target: paymentId });
          const now = executionIn(payment, movementId);
          if (now.movement.state === 'pending') return { step: 'decide', subject: now };
          return { step: 'confirm', outcome: outcomeOf(now), timeline };
        },
        decide: (now) => {
          const [before, change] = [now.payment, altered(now.payment)];
          return { step: 'record', proposal: { gate: 'payment', before, change, outcome: outcomeOf(now) } };
        },
      });
      if ('recorded' in given) await checkpoint('answer recorded', paymentId);
      return given;
    } catch (error) {
      const why = `its answer could not be kept, ${(error as Error).message}`;
      acquirers.onUnknown({ acquirer, paymentId, movementId, why });
      return pendingOutcome(execution, true);
    }
  }

  /**
   * A client relies on an answer that something was done, or cannot be done any more: so it waits for the standby, like
   * a commit.
   */
  async #confirm<Any extends Outcome>({ outcome, timeline }: In<'confirm', Any>): Promise<In<'end', Any>> {
    const { kind } = outcome;
    if (this.#tries === 'unclear' && !this.#steps.isRefusalFinal && kind === 'refused')
      throw new OutcomeUnknown('an earlier try may have been let in, and would be refused by now');
    this.#unlock();
    const saysNothing = kind === 'other_request_had_key' || kind === 'outcome_of_key_is_open';
    if (timeline !== undefined && !saysNothing) await this.#payments.store.confirm(timeline);
    return { step: 'end', outcome };
  }

  async #enter({ movement }: Execution) {
    const { acquirers } = this.#payments;
    const until = performance.now() + acquirers.timeouts.answerMs;
    const acquirer = await acquirers.find(movement.acquirer);
    return (this.#slot = { acquirer, until, leave: await acquirer.enter() });
  }

  #leave(): void {
    this.#slot?.leave();
    this.#slot = undefined;
  }

  #unlock(): void {
    this.lock?.release();
    this.lock = undefined;
  }
}

const subjectOf = (written: Gated): string =>
  (written.gate === 'subscription' ? (written.change?.payment ?? written.subscription) : written.change.payment).id;

/** Writes it, if its gate accepts it. */
async function write(
  { store, acquirers }: Payments,
  { made, act, intent, ownTryMs, ...written }: Proposal<unknown>,
  record: NewIdempotencyRecord | undefined,
): Promise<Committed> {
  const rest = { made, act, record, ownTryMs: intent ? acquirers.timeouts.ownTryMs : ownTryMs };
  switch (written.gate) {
    case 'create':
      return store.commit({ change: written.change, ...rest });
    case 'payment':
      return store.commit({ change: written.change, before: written.before, ...rest });
    case 'subscription': {
      const { subscription, day, change } = written;
      const { id: subscriptionId, version, paymentId: cardPaymentId } = subscription;
      if (change) return store.commit({ change, renewal: { subscriptionId, version, day, cardPaymentId }, ...rest });
      return record && (await recordRefusal(store.write, subscription, record)) ? 'committed' : 'conflict';
    }
  }
}
