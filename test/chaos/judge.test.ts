// Goal: a run that goes wrong cannot pass: the judge finds each way in which the books can differ from the answers.
// Method: a payment by hand whose books agree, and then one lie after the other in them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Books, EntryRow, MovementRow } from '../../proof/chaos/books.ts';
import { eventOfOutcome } from '../../proof/chaos/event-endpoints.ts';
import { Journal } from '../../proof/chaos/journal.ts';
import type { Bulk, Finding, KeyedKind, Life, Outcome, Operation, Shown } from '../../proof/chaos/journal.ts';
import { judge } from '../../proof/chaos/judge.ts';
import { CARDS } from '../../proof/chaos/reserving.ts';

type Story = {
  readonly life: Life;
  readonly renewal: Life;
  readonly bulks: Bulk[];
  readonly books: { -readonly [Name in keyof Books]: Books[Name] };
  readonly shown: Shown;
};

const PAYMENT = 'p';
const RENEWED = 'q';
const VERIFIED = 'v';
const EVENTS = ['e1', 'e2', 'e3'];

const anOperation = (kind: KeyedKind, key: string, amount: number, outcome: Outcome, id?: string): Operation => ({
  kind,
  key,
  path: '',
  body: {},
  amount,
  expected: 'granted',
  outcome,
  ids: new Set(id === undefined ? [] : [id]),
});

const aMovement = (id: string, kind: MovementRow['kind'], amount: number, changes: object = {}): MovementRow => ({
  id,
  paymentId: PAYMENT,
  kind,
  state: 'approved',
  amount,
  currency: 'SEK',
  reason: null,
  ...changes,
});

/** 1000 reserved, 600 and then too much charged, 100 given back, 400 cancelled; 50 charged by a bulk, a card verified. */
function aStory(): Story {
  const life: Life = {
    n: 1,
    amount: 1_000,
    chargesAtOnce: false,
    card: CARDS.good,
    paymentId: PAYMENT,
    reserving: { sent: 1, declined: 0, unknown: 0, knows: 'reserved', reservationId: 'r' },
    operations: [
      anOperation('create', 'k0', 1_000, 'granted', PAYMENT),
      anOperation('charge', 'k1', 600, 'granted', 'c'),
      anOperation('charge', 'k2', 9_999, 'refused'),
      anOperation('refund', 'k3', 100, 'granted', 'f'),
      anOperation('cancel', 'k4', 400, 'granted'),
    ],
  };
  const renewal: Life = {
    n: 2,
    amount: 50,
    chargesAtOnce: true,
    card: CARDS.good,
    paymentId: RENEWED,
    reserving: { sent: 1, declined: 0, unknown: 0, knows: 'reserved' },
    operations: [],
    chargedAtOnce: 'qc',
    renewal: { expected: 'granted', outcome: 'granted' },
  };
  const movements = [
    aMovement('r', 'reservation', 1_000),
    aMovement('c', 'charge', 600),
    aMovement('f', 'refund', 100),
    aMovement('x', 'cancel', 400),
    aMovement('qr', 'reservation', 50, { paymentId: RENEWED }),
    aMovement('qc', 'charge', 50, { paymentId: RENEWED }),
  ];
  const summary = { reservedAmount: 1_000, chargedAmount: 600, refundedAmount: 100, cancelledAmount: 400 };
  const told = new Set(movements.map((row) => eventOfOutcome(row) ?? ''));
  const charges = [{ chargeId: 'c', amount: 600 }];
  const refunds = [{ refundId: 'f', amount: 100, state: 'Completed' }];
  const sums = { reserved: 1_000, charged: 600, refunded: 100, cancelled: 400, waiting: 0 };
  const renewedSummary = { reservedAmount: 50, chargedAmount: 50, refundedAmount: 0, cancelledAmount: 0 };
  const renewedCharges = [{ chargeId: 'qc', amount: 50 }];
  const renewedSums = { reserved: 50, charged: 50, refunded: 0, cancelled: 0, waiting: 0 };
  const anEntry = { place: 0, state: 'succeeded' } as const;
  return {
    life,
    renewal,
    bulks: [
      { name: 'bulk-1', purpose: 'charge', count: 1, ids: new Set(['b']), isDone: true },
      { name: 'bulk-2', purpose: 'verification', count: 1, ids: new Set(['w']), isDone: true },
    ],
    books: {
      payments: [
        { id: PAYMENT, reference: 'life-1', ...sums },
        { id: RENEWED, reference: 'life-2', ...renewedSums },
      ],
      movements,
      keys: ['c', null, 'f', 'x'].map((movementId, n) => ({
        key: `k${n + 1}`,
        paymentId: PAYMENT,
        movementId,
        status: 201,
      })),
      bulks: [
        { name: 'bulk-1', id: 'b', purpose: 'charge', entryCount: 1 },
        { name: 'bulk-2', id: 'w', purpose: 'verification', entryCount: 1 },
      ],
      entries: [
        { ...anEntry, bulkId: 'b', paymentId: RENEWED, chargeId: 'qc' },
        { ...anEntry, bulkId: 'w', paymentId: VERIFIED, chargeId: null },
      ],
      listed: new Map([
        [PAYMENT, { paymentId: PAYMENT, summary, charges, refunds }],
        [RENEWED, { paymentId: RENEWED, summary: renewedSummary, charges: renewedCharges, refunds: [] }],
      ]),
      bank: [...movements, aMovement(VERIFIED, 'reservation', 0)].map(({ id, kind, amount, currency }) => ({
        id,
        kind,
        amount,
        currency,
        reservationId: 'r',
        state: 'approved',
        at: 1,
      })),
      byWebhook: told,
      byHooks: told,
      events: EVENTS,
      toldAtMs: new Map(EVENTS.map((id) => [id, 1])),
    },
    shown: {
      payments: new Map([
        [PAYMENT, { paymentId: PAYMENT, summary: { ...summary, cancelledAmount: 0 }, charges, refunds }],
      ]),
      byCursor: [...EVENTS],
      byStream: [...EVENTS],
    },
  };
}

function judgeStory({ life, renewal, bulks, books, shown }: Story): readonly Finding[] {
  const journal = new Journal();
  journal.looks = 1;
  Object.assign(journal.shown, shown);
  journal.lives.push(life, renewal);
  journal.bulks.push(...bulks);
  judge(journal, books);
  return journal.findings;
}

type Lie = readonly [what: string, expected: Finding['kind'], tell: (story: Story) => void];

const without = <Row extends { id: string }>(rows: readonly Row[], id: string): Row[] =>
  rows.filter((row) => row.id !== id);
const changed = <Row extends { id: string }>(rows: readonly Row[], id: string, changes: Partial<Row>): Row[] =>
  rows.map((row) => (row.id === id ? { ...row, ...changes } : row));

const entryAs = ({ entries }: Story['books'], changes: Partial<EntryRow>): readonly EntryRow[] =>
  entries.map((entry) => (entry.bulkId === 'b' ? { ...entry, ...changes } : entry));

const withoutCharge = (told: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...told].filter((event) => !event.startsWith('payment.charge')));

const lies: readonly Lie[] = [
  ['an acknowledged payment is gone', 'lost', ({ books }) => (books.payments = [])],
  ['an acknowledged charge is gone', 'lost', ({ books }) => (books.movements = without(books.movements, 'c'))],
  ['an acknowledged cancel is gone', 'lost', ({ books }) => (books.movements = without(books.movements, 'x'))],
  ['the reservation is gone', 'lost', ({ books }) => (books.movements = without(books.movements, 'r'))],
  [
    'an acknowledged charge is declined',
    'lost',
    ({ books }) => (books.movements = changed(books.movements, 'c', { state: 'declined' })),
  ],
  ['a key has no record', 'lost', ({ books }) => (books.keys = books.keys.filter(({ key }) => key !== 'k2'))],
  [
    'a charge that nobody asked for',
    'doubled',
    ({ books }) => (books.movements = [...books.movements, aMovement('c2', 'charge', 600)]),
  ],
  [
    'a second reservation',
    'doubled',
    ({ books }) => (books.movements = [...books.movements, aMovement('r2', 'reservation', 1_000)]),
  ],
  [
    'a second payment of one create',
    'doubled',
    ({ books }) => {
      const [first] = books.payments;
      if (first) books.payments = [...books.payments, { ...first, id: 'p2' }];
    },
  ],
  [
    'a refused charge is there',
    'refused with an effect',
    ({ books }) => {
      books.movements = [...books.movements, aMovement('c2', 'charge', 9_999)];
      books.keys = books.keys.map((row) => (row.key === 'k2' ? { ...row, movementId: 'c2' } : row));
    },
  ],
  [
    'a declined reservation is there',
    'refused with an effect',
    ({ life }) => Object.assign(life.reserving, { knows: 'not reserved', declined: 1 }),
  ],
  [
    'an operation without an answer',
    'unfinished',
    ({ life }) => Object.assign(life.operations[1] ?? {}, { outcome: 'open' }),
  ],
  ['another amount', 'difference', ({ books }) => (books.movements = changed(books.movements, 'x', { amount: 399 }))],
  ['only here', 'difference', ({ books }) => (books.bank = without(books.bank, 'f'))],
  [
    'only in the bank’s book',
    'difference',
    ({ books }) =>
      (books.bank = [
        ...books.bank,
        { id: 'z', kind: 'charge', amount: 1, currency: 'SEK', reservationId: 'r', state: 'approved', at: 1 },
      ]),
  ],
  ['one unit more at the bank', 'difference', ({ books }) => (books.bank = changed(books.bank, 'c', { amount: 601 }))],
  ['declined at the bank', 'difference', ({ books }) => (books.bank = changed(books.bank, 'c', { state: 'declined' }))],
  [
    'money still set aside',
    'difference',
    ({ books }) => (books.payments = changed(books.payments, PAYMENT, { waiting: 1 })),
  ],
  ['another total', 'difference', ({ books }) => (books.payments = changed(books.payments, PAYMENT, { charged: 601 }))],
  [
    'a charge that the webhook never heard of',
    'not told',
    ({ books }) => (books.byWebhook = withoutCharge(books.byWebhook)),
  ],
  ['a charge that the hook never heard of', 'not told', ({ books }) => (books.byHooks = withoutCharge(books.byHooks))],
  ['a charge of a bulk is gone', 'lost', ({ books }) => (books.payments = without(books.payments, RENEWED))],
  [
    'a charge of a bulk is there twice',
    'doubled',
    ({ books }) => {
      books.movements = [...books.movements, aMovement('qc2', 'charge', 50, { paymentId: RENEWED })];
    },
  ],
  [
    'a second payment for one entry',
    'doubled',
    ({ books }) => {
      const [, renewed] = books.payments;
      if (renewed) books.payments = [...books.payments, { ...renewed, id: 'q2' }];
    },
  ],
  [
    'an entry that was refused has a payment',
    'refused with an effect',
    ({ renewal }) => Object.assign(renewal.renewal ?? {}, { outcome: 'refused' }),
  ],
  [
    'an entry that nobody told of',
    'unfinished',
    ({ renewal }) => Object.assign(renewal.renewal ?? {}, { outcome: 'open' }),
  ],
  ['an entry that is pending', 'unfinished', ({ books }) => (books.entries = entryAs(books, { state: 'pending' }))],
  [
    'an entry that failed, and is charged',
    'refused with an effect',
    ({ books }) => (books.entries = entryAs(books, { state: 'failed' })),
  ],
  ['an entry with another charge', 'lost', ({ books }) => (books.entries = entryAs(books, { chargeId: 'z' }))],
  ['a bulk without its entry', 'lost', ({ books }) => (books.entries = books.entries.slice(1))],
  ['a bulk that is gone', 'lost', ({ books }) => (books.bulks = without(books.bulks, 'b'))],
  [
    'a bulk that is there twice',
    'doubled',
    ({ books }) => (books.bulks = [...books.bulks, { name: 'bulk-1', id: 'b2', purpose: 'charge', entryCount: 1 }]),
  ],
  [
    'a bulk that nobody asked for',
    'doubled',
    ({ books }) => (books.bulks = [...books.bulks, { name: null, id: 'b2', purpose: 'charge', entryCount: 1 }]),
  ],
  [
    'a bulk that was not read to its end',
    'unfinished',
    ({ bulks }) => Object.assign(bulks[0] ?? {}, { isDone: false }),
  ],
  [
    'a verification that the bank never heard of',
    'difference',
    ({ books }) => (books.bank = without(books.bank, VERIFIED)),
  ],
  ['the API does not tell of it', 'difference', ({ books }) => (books.listed = new Map())],
  [
    'a list showed a payment that is gone',
    'undone',
    ({ shown }) => {
      const payment = shown.payments.get(PAYMENT);
      if (payment) shown.payments.set('p3', { ...payment, paymentId: 'p3' });
    },
  ],
  [
    'a list showed a sum that is less now',
    'undone',
    ({ shown }) => Object.assign(shown.payments.get(PAYMENT)?.summary ?? {}, { chargedAmount: 601 }),
  ],
  [
    'a list showed a charge that is gone',
    'undone',
    ({ shown }) => {
      const payment = shown.payments.get(PAYMENT);
      if (payment) shown.payments.set(PAYMENT, { ...payment, charges: [{ chargeId: 'c2', amount: 1 }] });
    },
  ],
  ['the list of events told one that is gone', 'undone', ({ shown }) => shown.byCursor.push('e4')],
  ['the stream told an event that is gone', 'undone', ({ shown }) => shown.byStream.push('e4')],
  ['the list of events passed one over', 'missed', ({ shown }) => shown.byCursor.splice(1, 1)],
  ['the stream passed an event over', 'missed', ({ shown }) => shown.byStream.splice(1, 1)],
  ['the stream told an event twice', 'missed', ({ shown }) => shown.byStream.push('e3')],
  ['the list of events has another order', 'missed', ({ shown }) => shown.byCursor.unshift(shown.byCursor.pop() ?? '')],
  [
    'an endpoint was told an event that is gone',
    'undone',
    ({ books }) => (books.toldAtMs = new Map([...books.toldAtMs, ['e4', 1]])),
  ],
];

describe('the judge of chaos', () => {
  test('lets books pass that agree', () => assert.deepEqual(judgeStory(aStory()), []));

  for (const [what, expected, tell] of lies)
    test(`finds: ${what}`, () => {
      const story = aStory();
      tell(story);
      const kinds = judgeStory(story).map(({ kind }) => kind);
      assert.ok(kinds.includes(expected), `${kinds.join(', ') || 'nothing'} was found`);
    });
});
