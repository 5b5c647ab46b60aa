// Holds what the clients were told against the books. Everything acknowledged is there, once; nothing that was refused
// has an effect; no effect is there that nobody asked for; our movements and the bank's book agree line by line; and
// whoever subscribed was told of each.
import type { Line } from '../../src/bank/book.ts';
import type { Books, KeyRow, MovementRow, PaymentRow, ListedPayment } from './books.ts';
import { eventOfOutcome } from './event-endpoints.ts';
import type { Journal, Life, Operation } from './journal.ts';
import { judgeBulks, withoutVerifications } from './judge-bulks.ts';
import { judgeShown } from './judge-shown.ts';
import { CARDS } from './reserving.ts';

// Reservations that are declined on our side alone: the bank was never asked, or has never heard of it.
const DECLINED_HERE = /the acquirer never heard of it|did not pass the check of their bank/;

const groupBy = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
};

const sumOf = (rows: readonly MovementRow[], kind: MovementRow['kind']): number =>
  rows.filter((row) => row.kind === kind && row.state === 'approved').reduce((sum, { amount }) => sum + amount, 0);

const show = ({ kind, amount, id, state }: MovementRow): string => `${kind} ${id} of ${amount}, ${state}`;

/** Judges one life after the other by the rows that belong to it. */
class LifeJudge {
  readonly #journal: Journal;
  readonly #life: Life;
  readonly #keys: ReadonlyMap<string, readonly KeyRow[]>;
  readonly #rows: MovementRow[];
  /** Rows that some operation accounts for. */
  readonly #accounted = new Set<string>();

  constructor(journal: Journal, life: Life, keys: ReadonlyMap<string, readonly KeyRow[]>, rows: MovementRow[]) {
    this.#journal = journal;
    this.#life = life;
    this.#keys = keys;
    this.#rows = rows;
  }

  judge(): void {
    this.#judgeReservation();
    for (const operation of this.#life.operations)
      if (operation.kind === 'renewal') this.#judgeKeyOfRenewal(operation);
      else if (operation.kind !== 'create') this.#judgeOperation(operation);
    this.#judgeChargeAtOnce();
    for (const row of this.#rows) {
      if (this.#accounted.has(row.id) || row.kind === 'reservation') continue;
      this.#find(row.state === 'approved' ? 'doubled' : 'difference', `${show(row)} answers to no operation`);
    }
  }

  #find(kind: 'lost' | 'doubled' | 'difference' | 'refused with an effect' | 'unfinished', text: string): void {
    this.#journal.find(kind, text, this.#life.n);
  }

  #judgeReservation(): void {
    const { reserving, amount } = this.#life;
    const rows = this.#rows.filter(({ kind }) => kind === 'reservation');
    const approved = rows.filter(({ state }) => state === 'approved');
    if (approved.length > 1) this.#find('doubled', `it is reserved ${approved.length} times`);
    if (rows.length > reserving.sent) this.#find('doubled', `${rows.length} reservations for ${reserving.sent} tries`);
    if (rows.length - approved.length < reserving.declined - reserving.unknown)
      this.#find('lost', `${reserving.declined} tries were declined, ${rows.length - approved.length} are there`);
    if (approved.some((row) => row.amount !== amount)) this.#find('difference', `it is not ${amount} that is reserved`);
    if (reserving.knows === 'reserved') {
      if (approved.length === 0) this.#find('lost', 'the client knows that it is reserved, and it is not');
      const { reservationId } = reserving;
      if (reservationId !== undefined && approved[0]?.id !== reservationId)
        this.#find('lost', `the reservation ${reservationId} was acknowledged, and is not there`);
    } else if (approved.length > 0 && reserving.unknown === 0)
      this.#find('refused with an effect', 'every try to reserve was declined, and it is reserved');
  }

  /** One key has made one payment; its movements are judged as what comes at once. */
  #judgeKeyOfRenewal({ key, outcome }: Operation): void {
    const records = this.#keys.get(key) ?? [];
    if (records.length > 1) this.#find('doubled', `the key ${key} has ${records.length} records`);
    const [record] = records;
    if (outcome === 'open') this.#find('unfinished', `${key} was not answered to the end`);
    else if (record === undefined) this.#find('lost', `${key} was ${outcome}, and there is no record of its key`);
    else if (outcome !== 'refused' && record.paymentId !== this.#life.paymentId)
      this.#find('difference', `${key} was payment ${this.#life.paymentId}, and its record is of ${record.paymentId}`);
  }

  #judgeOperation(operation: Operation): void {
    const { key, outcome } = operation;
    const records = this.#keys.get(key) ?? [];
    if (records.length > 1) this.#find('doubled', `the key ${key} has ${records.length} records`);
    const record = records[0];
    const row = this.#rows.find(({ id }) => id === record?.movementId);
    if (row) {
      if (this.#accounted.has(row.id)) this.#find('difference', `${show(row)} answers to two keys`);
      this.#accounted.add(row.id);
      if (row.kind !== operation.kind || row.amount !== operation.amount)
        this.#find(
          'difference',
          `${key} asked for a ${operation.kind} of ${operation.amount}, and there is ${show(row)}`,
        );
    }
    if (outcome === 'open') this.#find('unfinished', `${key} was not answered to the end`);
    else if (record === undefined) this.#find('lost', `${key} was ${outcome}, and there is no record of its key`);
    else if (outcome === 'granted') this.#judgeGranted(operation, row);
    else if (row?.state === 'approved') this.#find('refused with an effect', `${key} was ${outcome}: ${show(row)}`);
    else if (outcome === 'declined' && !row) this.#find('lost', `${key} was declined, and there is no trace of it`);
    else if (outcome === 'refused' && row) this.#find('difference', `${key} was refused, and there is ${show(row)}`);
  }

  #judgeGranted({ key, ids, kind }: Operation, row: MovementRow | undefined): void {
    if (row === undefined) return this.#find('lost', `${key} was acknowledged, and is not there`);
    const [id] = ids;
    if (id !== undefined && id !== row.id)
      this.#find('lost', `${key} was acknowledged as ${id}, and what is there is ${show(row)}`);
    // A refund that was accepted can be declined later, if its card says so.
    const mayBeDeclined = kind === 'refund' && this.#life.card === CARDS.refundDeclined;
    if (row.state !== 'approved' && !mayBeDeclined) this.#find('lost', `${key} was acknowledged: ${show(row)}`);
    return undefined;
  }

  #judgeChargeAtOnce(): void {
    const { chargesAtOnce, chargedAtOnce, amount } = this.#life;
    if (!chargesAtOnce) return;
    const isReserved = sumOf(this.#rows, 'reservation') > 0;
    const rows = this.#rows.filter(({ id, kind }) => kind === 'charge' && !this.#accounted.has(id));
    for (const row of rows.slice(0, 1)) this.#accounted.add(row.id);
    const [row] = rows;
    if (isReserved && (row?.state !== 'approved' || row.amount !== amount))
      this.#find('lost', `it was to be charged at once, and is not: ${row ? show(row) : 'no charge'}`);
    if (chargedAtOnce !== undefined && row?.id !== chargedAtOnce)
      this.#find('lost', `the charge ${chargedAtOnce} was read, and is not there`);
  }
}

/** Sums and lists: of the rows, and as the API tells them. */
function judgeSums(
  find: (text: string) => void,
  payment: PaymentRow,
  rows: readonly MovementRow[],
  listed: ListedPayment | undefined,
): void {
  const sums = [sumOf(rows, 'reservation'), sumOf(rows, 'charge'), sumOf(rows, 'refund'), sumOf(rows, 'cancel')];
  const totals = [payment.reserved, payment.charged, payment.refunded, payment.cancelled];
  if (totals.join() !== sums.join()) find(`the totals are ${totals.join(', ')}, the movements say ${sums.join(', ')}`);
  if (payment.waiting !== 0) find(`${payment.waiting} is still set aside`);
  if (listed === undefined) return find('the API does not list it');
  const { reservedAmount, chargedAmount, refundedAmount, cancelledAmount } = listed.summary;
  const summary = [reservedAmount, chargedAmount, refundedAmount, cancelledAmount];
  if (summary.join() !== sums.join()) find(`the API tells ${summary.join(', ')}, the movements say ${sums.join(', ')}`);
  const entriesOf = (kind: string): string =>
    rows
      .filter((row) => row.kind === kind && (row.state === 'approved' || kind === 'refund'))
      .map(({ id, amount }) => `${id} ${amount}`)
      .join();
  const charges = listed.charges.map(({ chargeId, amount }) => `${chargeId} ${amount}`).join();
  const refunds = listed.refunds.map(({ refundId, amount }) => `${refundId} ${amount}`).join();
  if (charges !== entriesOf('charge')) find(`the API lists the charges ${charges}`);
  if (refunds !== entriesOf('refund')) find(`the API lists the refunds ${refunds}`);
  return undefined;
}

/** Our movements and the bank's lines, one by one. */
function judgeBank(journal: Journal, books: Books, lifeOf: (paymentId: string) => number | undefined): void {
  const lines = new Map<string, Line>();
  for (const line of withoutVerifications(journal, books)) {
    if (lines.has(line.id)) journal.find('doubled', `the bank's book has ${line.id} twice`);
    lines.set(line.id, line);
  }
  for (const row of books.movements) {
    const line = lines.get(row.id);
    lines.delete(row.id);
    const life = lifeOf(row.paymentId);
    if (line === undefined) {
      const isFine = row.kind === 'reservation' && row.state === 'declined' && DECLINED_HERE.test(row.reason ?? '');
      if (!isFine) journal.find('difference', `only here: ${show(row)}`, life);
    } else {
      const ours = [row.kind, row.state, row.amount, row.currency].join(' ');
      const theirs = [line.kind, line.state, line.amount, line.currency].join(' ');
      if (ours !== theirs) journal.find('difference', `${row.id} is ${ours} here, ${theirs} in the bank's book`, life);
    }
  }
  for (const line of lines.values())
    journal.find('difference', `only in the bank's book: ${line.kind} ${line.id} of ${line.amount}, ${line.state}`);
}

/** Every outcome was told to whoever subscribed. */
function judgeTelling(journal: Journal, books: Books, lifeOf: (paymentId: string) => number | undefined): void {
  for (const row of books.movements) {
    const event = eventOfOutcome(row);
    if (event === undefined) continue;
    const life = lifeOf(row.paymentId);
    if (!books.byWebhook.has(event)) journal.find('not told', `the webhook never heard of ${event}`, life);
    if (journal.isHooked && !books.byHooks.has(event))
      journal.find('not told', `the payment's own hook never heard of ${event}`, life);
  }
}

/** A charge of a subscription is a payment of its own, or none where a rule forbade it. */
function judgeRenewal(
  journal: Journal,
  { n, renewal, paymentId }: Life,
  payments: readonly PaymentRow[],
  payment: PaymentRow | undefined,
): void {
  if (renewal === undefined) return;
  const { outcome } = renewal;
  if (outcome === 'open') journal.find('unfinished', 'a charge of a subscription was not told to its end', n);
  else if (outcome === 'refused' && payments.length > 0)
    journal.find('refused with an effect', `a charge was refused, and there is payment ${payments[0]?.id}`, n);
  else if (outcome !== 'refused' && payment === undefined)
    journal.find('lost', `a charge was ${outcome} as payment ${paymentId}, and that is gone`, n);
}

export function judge(journal: Journal, books: Books): void {
  const movements = groupBy(books.movements, ({ paymentId }) => paymentId);
  const keys = groupBy(books.keys, ({ key }) => key);
  const byReference = groupBy(books.payments, ({ reference }) => reference);
  const lives = new Map(journal.lives.map((life) => [`life-${life.n}`, life]));
  const lifeOfPayment = new Map(books.payments.map(({ id, reference }) => [id, lives.get(reference)?.n]));

  for (const life of journal.lives) {
    const find = (kind: 'lost' | 'doubled' | 'difference', text: string): void => journal.find(kind, text, life.n);
    const payments = byReference.get(`life-${life.n}`) ?? [];
    const create = life.operations.find(({ kind }) => kind === 'create');
    if (payments.length > 1) find('doubled', `one create has made ${payments.map(({ id }) => id).join(' and ')}`);
    const payment = payments.find(({ id }) => id === life.paymentId);
    if (create?.outcome === 'granted' && !payment)
      find('lost', `payment ${life.paymentId} was acknowledged, and is gone`);
    judgeRenewal(journal, life, payments, payment);
    if (!payment) continue;
    const rows = movements.get(payment.id) ?? [];
    new LifeJudge(journal, life, keys, rows).judge();
    judgeSums((text) => find('difference', text), payment, rows, books.listed.get(payment.id));
  }
  for (const { id, reference } of books.payments)
    if (!lives.has(reference)) journal.find('doubled', `payment ${id} is nobody's`);
  const lifeOf = (paymentId: string): number | undefined => lifeOfPayment.get(paymentId);
  judgeBulks(journal, books, movements, lifeOf);
  judgeBank(journal, books, lifeOf);
  judgeTelling(journal, books, lifeOf);
  judgeShown(journal, books);
}
