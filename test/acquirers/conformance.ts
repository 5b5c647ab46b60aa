// What every acquirer must do, as tests that can be run against any. All decide alike by the source of the test card.
// One on another machine also acts once for each id, says afterwards what it did, never does what was forbidden, keeps
// its sums and shows its book; those that are local keep nothing, so only their decisions are looked at.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Acquirer, AcquirerRequest, BookLine, RemoteAcquirer } from '../../src/acquirers/acquirer.ts';
import type { Source } from '../../src/acquirers/test-cards.ts';
import type { Outcome } from '../../src/domain/settle.ts';

type Kind = AcquirerRequest['kind'];

export type Subject = { readonly acquirer: Acquirer; close(): Promise<unknown> };

const KINDS: readonly Kind[] = ['reservation', 'charge', 'refund', 'cancel'];

// Which kind each source declines; the compiler asks for those that are missing.
const DECLINES: Readonly<Record<Source, readonly [Kind, string] | undefined>> = {
  sim_approved: undefined,
  sim_reservation_declined: ['reservation', 'declined by the issuer'],
  sim_charge_declined: ['charge', 'declined by the issuer'],
  sim_refund_declined: ['refund', 'refused by the issuer'],
  // Left open inside of Kassa alone.
  sim_refund_pending: undefined,
  sim_cancel_declined: ['cancel', 'refused by the issuer'],
  sim_insufficient_funds: ['reservation', 'insufficient funds'],
  sim_expired_card: ['reservation', 'expired card'],
  sim_wrong_cvc: ['reservation', 'wrong CVC'],
  sim_processing_error: ['reservation', 'processing error'],
  sim_renewal_declined: undefined,
  sim_renewal_expired: undefined,
  sim_renewal_needs_consumer: undefined,
  sim_invoice: undefined,
  sim_app: undefined,
  sim_invoice_declined: ['reservation', 'the person is not approved for an invoice'],
};

const AMOUNT = 10_000;

const newMovementId = (): string => randomBytes(16).toString('hex');

export const aReservation = (changes: Partial<AcquirerRequest> = {}): AcquirerRequest => {
  const movementId = changes.movementId ?? newMovementId();
  return {
    movementId,
    kind: 'reservation',
    amount: AMOUNT,
    currency: 'SEK',
    source: 'sim_approved',
    reservationId: movementId,
    ...changes,
  };
};

const aMove = (kind: Kind, of: AcquirerRequest, changes: Partial<AcquirerRequest> = {}): AcquirerRequest => ({
  ...of,
  movementId: newMovementId(),
  kind,
  ...changes,
});

/** A refund's charge is made by a card that allows it. */
const aRefund = (charge: AcquirerRequest, changes: Partial<AcquirerRequest> = {}): AcquirerRequest =>
  aMove('refund', charge, { chargeId: charge.movementId, ...changes });

const resultOf = ({ result, ...rest }: Outcome | { result: string }): readonly unknown[] => [
  result,
  ...('reason' in rest ? [rest.reason] : []),
];

/** Brings about what the kind needs, with an approved card, and asks for the kind itself with the source. */
async function ask(acquirer: Acquirer, kind: Kind, source: string): Promise<Outcome | { result: string }> {
  const answer = async (request: AcquirerRequest) =>
    acquirer.isLocal ? acquirer.decide(request) : acquirer.send(request);
  const reservation = aReservation({ source: kind === 'reservation' ? source : 'sim_approved' });
  const reserved = await answer(reservation);
  if (kind === 'reservation') return reserved;
  if (kind !== 'refund') return answer(aMove(kind, reservation, { source }));
  const charge = aMove('charge', reservation);
  await answer(charge);
  return answer(aRefund(charge, { source }));
}

function testDecisions(acquirer: () => Acquirer): void {
  for (const [source, decline] of Object.entries(DECLINES))
    test(`${source}: ${decline ? `declines a ${decline[0]} and nothing else` : 'declines nothing'}`, async () => {
      for (const kind of KINDS) {
        const expected = decline?.[0] === kind ? ['declined', decline[1]] : ['approved'];
        assert.deepEqual(resultOf(await ask(acquirer(), kind, source)), expected, kind);
      }
    });

  test('a source that it does not know is approved', async () => {
    for (const source of ['anything', 'toString', '__proto__', 'å'])
      assert.deepEqual(await ask(acquirer(), 'reservation', source), { result: 'approved' });
  });
}

async function readBook(acquirer: RemoteAcquirer, query: { fromMs?: number; toMs?: number } = {}): Promise<BookLine[]> {
  const lines: BookLine[] = [];
  for (let seen: string | undefined, more = true; more; more = seen !== undefined) {
    const page = await acquirer.book({ ...query, ...(seen !== undefined && { after: seen }) });
    lines.push(...page.lines);
    seen = page.next;
  }
  return lines;
}

function testIds(remote: () => RemoteAcquirer): void {
  test('the same id again is the same answer, and the money moved once', async () => {
    const reservation = aReservation();
    const charge = aMove('charge', reservation);
    await remote().send(reservation);
    for (let times = 0; times < 3; times += 1) assert.deepEqual(await remote().send(charge), { result: 'approved' });
    const left = aMove('charge', reservation, { amount: 1 });
    assert.deepEqual(resultOf(await remote().send(left)), ['declined', 'more than is left']);
  });

  test('the same id many times at once moves the money once', async () => {
    const reservation = aReservation();
    await remote().send(reservation);
    const charge = aMove('charge', reservation, { amount: 1 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => remote().send(charge)));
    assert.deepEqual(new Set(answers.map(({ result }) => result)), new Set(['approved']));
    const rest = aMove('cancel', reservation, { amount: AMOUNT - 1 });
    assert.deepEqual(await remote().send(rest), { result: 'approved' });
  });

  test('what was declined stays declined under its id', async () => {
    const reservation = aReservation({ source: 'sim_insufficient_funds' });
    const first = await remote().send(reservation);
    assert.equal(first.result, 'declined');
    assert.deepEqual(await remote().send(reservation), first);
    assert.deepEqual(await remote().find(reservation.movementId), first);
  });

  test('another operation under a known id is not done, and nothing is said of it', async () => {
    const reservation = aReservation();
    await remote().send(reservation);
    const changes: readonly Partial<AcquirerRequest>[] = [
      { amount: 1 },
      { currency: 'NOK' },
      { source: 'sim_invoice' },
    ];
    for (const change of changes) assert.equal((await remote().send({ ...reservation, ...change })).result, 'unknown');
    assert.deepEqual(await remote().find(reservation.movementId), { result: 'approved' });
    const lines = (await readBook(remote())).filter(({ movementId }) => movementId === reservation.movementId);
    assert.deepEqual(
      lines.map(({ amount, currency }) => ({ amount, currency })),
      [{ amount: AMOUNT, currency: 'SEK' }],
    );
  });

  test('find says what came of an id, and that it has never heard of one', async () => {
    const reservation = aReservation();
    assert.deepEqual(await remote().find(reservation.movementId), { result: 'not_found' });
    await remote().send(reservation);
    assert.deepEqual(await remote().find(reservation.movementId), { result: 'approved' });
  });

  // decision: reservation-that-the-acquirer-does-not-know
  test('what is forbidden before it comes is not done, now or ever; what was done before is told', async () => {
    const never = aReservation();
    for (let times = 0; times < 2; times += 1) {
      assert.deepEqual(await remote().forbid(never.movementId), { result: 'not_found' });
      assert.equal((await remote().send(never)).result, 'unknown');
      assert.deepEqual(await remote().find(never.movementId), { result: 'not_found' });
    }
    assert.ok((await readBook(remote())).every(({ movementId }) => movementId !== never.movementId));
    for (const source of ['sim_approved', 'sim_expired_card']) {
      const done = aReservation({ source });
      const outcome = await remote().send(done);
      assert.deepEqual(await remote().forbid(done.movementId), outcome);
      assert.deepEqual(await remote().send(done), outcome);
    }
  });

  test('sent and forbidden at once, an id is done or not, and everybody is told the same', async () => {
    const both = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const request = aReservation();
        const calls = [() => remote().send(request), () => remote().forbid(request.movementId)];
        const answers = await Promise.all((index % 2 === 0 ? calls : calls.toReversed()).map((call) => call()));
        const { result } = await remote().find(request.movementId);
        return [new Set(answers.map((answer) => answer.result)), result] as const;
      }),
    );
    for (const [results, found] of both)
      assert.deepEqual(results, new Set(found === 'approved' ? ['approved'] : ['unknown', 'not_found']));
  });
}

function testSums(remote: () => RemoteAcquirer): void {
  const answer = async (request: AcquirerRequest) => resultOf(await remote().send(request));

  test('charges and cancels together take no more than the reservation has', async () => {
    const reservation = aReservation();
    await answer(reservation);
    assert.deepEqual(await answer(aMove('charge', reservation, { amount: 6_000 })), ['approved']);
    assert.deepEqual(await answer(aMove('cancel', reservation, { amount: 4_001 })), ['declined', 'more than is left']);
    assert.deepEqual(await answer(aMove('cancel', reservation, { amount: 3_000 })), ['approved']);
    assert.deepEqual(await answer(aMove('charge', reservation, { amount: 1_001 })), ['declined', 'more than is left']);
    assert.deepEqual(await answer(aMove('charge', reservation, { amount: 1_000 })), ['approved']);
  });

  test('refunds take no more than their charge has, each charge for itself', async () => {
    const reservation = aReservation();
    const [small, large] = [1_000, 9_000].map((amount) => aMove('charge', reservation, { amount })) as [
      AcquirerRequest,
      AcquirerRequest,
    ];
    for (const request of [reservation, small, large]) await answer(request);
    assert.deepEqual(await answer(aRefund(small, { amount: 1_001 })), ['declined', 'more than is left']);
    assert.deepEqual(await answer(aRefund(small, { amount: 1_000 })), ['approved']);
    assert.deepEqual(await answer(aRefund(small, { amount: 1 })), ['declined', 'more than is left']);
    assert.deepEqual(await answer(aRefund(large, { amount: 9_000 })), ['approved']);
  });

  test('nothing is taken from what is not there or was declined', async () => {
    const unknown = aReservation();
    const notKnown = ['declined', 'the reservation is not known here'];
    assert.deepEqual(await answer(aMove('charge', unknown)), notKnown);
    assert.deepEqual(await answer(aMove('cancel', unknown)), notKnown);
    const declined = aReservation({ source: 'sim_expired_card' });
    await answer(declined);
    assert.deepEqual(await answer(aMove('charge', declined)), notKnown);
    assert.deepEqual(await answer(aRefund(aMove('charge', declined))), ['declined', 'the charge is not known here']);
  });
}

function testBook(remote: () => RemoteAcquirer): void {
  test('the book has every operation once, oldest first, declined ones too', async () => {
    const reservation = aReservation();
    const charge = aMove('charge', reservation, { amount: 7_000 });
    const tooMuch = aMove('charge', reservation);
    const refund = aRefund(charge, { amount: 7_000 });
    const done = [reservation, charge, tooMuch, refund];
    for (const request of done) await remote().send(request);
    const ours = (await readBook(remote())).filter((line) =>
      done.some(({ movementId }) => line.movementId === movementId),
    );
    assert.deepEqual(
      ours.map(({ at: _at, ...line }) => line),
      done.map(({ movementId, kind, amount, currency }) => {
        const state = movementId === tooMuch.movementId ? 'declined' : 'approved';
        return { movementId, kind, state, amount, currency };
      }),
    );
  });

  test('a period of the book begins with its first moment and ends before its last', async () => {
    const reservation = aReservation();
    await remote().send(reservation);
    const { at } = (await readBook(remote())).at(-1) as BookLine;
    const has = async (fromMs: number, toMs: number): Promise<boolean> =>
      (await readBook(remote(), { fromMs, toMs })).some(({ movementId }) => movementId === reservation.movementId);
    assert.equal(await has(at, at + 1), true);
    assert.equal(await has(at + 1, at + 2), false);
    assert.equal(await has(0, at), false);
  });

  test('the book of many operations is whole, page by page', async () => {
    const many = Array.from({ length: 600 }, () => aReservation({ amount: 1 }));
    for (let index = 0; index < many.length; index += 50)
      await Promise.all(many.slice(index, index + 50).map((request) => remote().send(request)));
    const first = await remote().book({});
    assert.ok(first.next !== undefined, 'so many do not fit on one page');
    const ids = (await readBook(remote())).map(({ movementId }) => movementId);
    assert.equal(new Set(ids).size, ids.length);
    const known = new Set(ids);
    assert.ok(many.every(({ movementId }) => known.has(movementId)));
  });
}

/** Declares the tests that the acquirer has to pass. */
export function testConformance(name: string, isLocal: boolean, open: () => Promise<Subject>): void {
  describe(name, () => {
    let subject: Subject;
    before(async () => {
      subject = await open();
      assert.equal(subject.acquirer.isLocal, isLocal);
    });
    after(() => subject.close());

    describe('decisions', () => testDecisions(() => subject.acquirer));
    if (isLocal) return;
    const remote = (): RemoteAcquirer => subject.acquirer as RemoteAcquirer;
    describe('ids', () => testIds(remote));
    describe('sums', () => testSums(remote));
    describe('book', () => testBook(remote));
  });
}
