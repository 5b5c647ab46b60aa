// The bank's book: every operation, once, in a SQLite file. An operation is looked up, decided and written in one
// transaction that is on disk before the response; constraints repeat the rule that no more is taken from a reservation
// or charge than it has. Node's SQLite is synchronous, so operations run one after the other, also with two processes on
// one file.
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { simulator } from '../acquirers/simulator.ts';
import type { Outcome } from '../domain/settle.ts';
import type { Answer, Operation } from './operation.ts';

export type Handled =
  | { readonly result: 'acted' | 'repeated'; readonly answer: Answer }
  /** Another operation has that id. */
  | { readonly result: 'other_content' }
  /** It was forbidden before it came, and was not done. */
  | { readonly result: 'forbidden' };

export type Line = Answer & Omit<Operation, 'source'>;

export type PageQuery = {
  /** The last line already seen. */
  readonly after: number;
  readonly limit: number;
  /** The period, by the bank's clock: from this moment on, and before that one. */
  readonly from: number;
  readonly to: number;
};

export type Page = { readonly lines: readonly Line[]; readonly next?: string };

export type Book = {
  /** Handles the operations in one transaction: all of them, or none. */
  act(group: readonly Operation[], at: number): Handled[];
  find(id: string): Answer | undefined;
  /** The operation with this id; undefined promises that there is none and never will be. */
  forbid(id: string): Answer | undefined;
  page(query: PageQuery): Page;
  countLines(): number;
  close(): void;
};

const SCHEMA = `
  create table if not exists operations (
    seq integer primary key,
    id text not null unique,
    kind text not null check (kind in ('reservation', 'charge', 'refund', 'cancel')),
    amount integer not null check (amount > 0 or (amount = 0 and kind = 'reservation')),
    currency text not null,
    source text not null,
    reservation_id text not null,
    charge_id text check ((charge_id is null) = (kind <> 'refund')),
    state text not null check (state in ('approved', 'declined')),
    reason text check ((reason is null) = (state = 'approved')),
    retryable integer check (retryable in (0, 1)),
    at integer not null,
    -- What was charged and cancelled of a reservation, or refunded of a charge.
    taken integer not null default 0 check (taken between 0 and amount),
    credential text,
    issuer_code text
  ) strict;
  create table if not exists forbidden (id text primary key) strict, without rowid`;

// How long to wait for another process on the same file; a transaction takes milliseconds.
const BUSY_MS = 5_000;

type Row = {
  readonly seq: number;
  readonly id: string;
  readonly kind: Operation['kind'];
  readonly amount: number;
  readonly currency: string;
  readonly source: string;
  readonly reservation_id: string;
  readonly charge_id: string | null;
  readonly state: Answer['state'];
  readonly reason: string | null;
  readonly retryable: number | null;
  readonly at: number;
  readonly taken: number;
  readonly credential: Operation['credential'] | null;
  readonly issuer_code: string | null;
};

const answerOf = ({ id, state, reason, retryable, issuer_code: issuerCode, at }: Row): Answer => ({
  id,
  state,
  ...(reason !== null && { reason }),
  ...(retryable !== null && { retryable: retryable === 1 }),
  ...(issuerCode != null && { issuerCode }),
  at,
});

function lineOf(row: Row): Line {
  const { id, ...rest } = answerOf(row);
  const { kind, amount, currency, reservation_id: reservationId, charge_id: chargeId } = row;
  return { id, kind, amount, currency, reservationId, ...(chargeId !== null && { chargeId }), ...rest };
}

/** Ignores the deadline, which is later on a retry. */
const isSame = (row: Row, operation: Operation): boolean =>
  row.kind === operation.kind &&
  row.amount === operation.amount &&
  row.currency === operation.currency &&
  row.source === operation.source &&
  row.reservation_id === operation.reservationId &&
  row.charge_id === (operation.chargeId ?? null) &&
  row.credential === (operation.credential ?? null);

const declined = (reason: string): Outcome => ({ result: 'declined', reason, retryable: false });

/** Declines what no acquirer would do: move money that is not there. */
function judgeSums(operation: Operation, drawnOn: Row | undefined): Outcome | undefined {
  const what = operation.kind === 'refund' ? 'charge' : 'reservation';
  if (drawnOn?.kind !== what || drawnOn.state !== 'approved') return declined(`the ${what} is not known here`);
  if (drawnOn.reservation_id !== operation.reservationId) return declined('the charge is of another reservation');
  if (drawnOn.currency !== operation.currency) return declined(`the ${what} is in another currency`);
  if (drawnOn.amount - drawnOn.taken < operation.amount) return declined('more than is left');
  return undefined;
}

function openFile(file: string, readOnly: boolean): DatabaseSync {
  // A new one is for its owner alone, and so are the files that SQLite puts beside it.
  if (!readOnly) closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { readOnly, timeout: BUSY_MS });
  if (readOnly) return database;
  // With FULL, every commit waits until the write-ahead log is on the disk.
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec(SCHEMA);
  return database;
}

export function openBook(file: string, { readOnly = false } = {}): Book {
  const database = openFile(file, readOnly);
  const select = database.prepare('select * from operations where id = ?');
  const insert = database.prepare(
    `insert into operations
       (id, kind, amount, currency, source, reservation_id, charge_id, state, reason, retryable, at,
        credential, issuer_code)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *`,
  );
  const take = database.prepare('update operations set taken = taken + ? where seq = ?');
  const selectPage = database.prepare(
    'select * from operations where seq > ? and at >= ? and at < ? order by seq limit ?',
  );
  const selectCount = database.prepare('select count(*) as lines from operations');

  const isForbidden = database.prepare('select 1 from forbidden where id = ?');
  const forbid = database.prepare('insert into forbidden (id) values (?) on conflict do nothing');

  const find = (id: string): Row | undefined => select.get(id) as Row | undefined;

  function write(operation: Operation, at: number): Row {
    const { id, kind, amount, currency, source, reservationId, chargeId = null, credential = null } = operation;
    const drawnOn = kind === 'reservation' ? undefined : find(chargeId ?? reservationId);
    const refused = kind === 'reservation' ? undefined : judgeSums(operation, drawnOn);
    const outcome = refused ?? simulator.decide({ ...operation, movementId: id });
    const approved = outcome.result === 'approved';
    if (approved && drawnOn) take.run(amount, drawnOn.seq);
    const [reason, retryable] = approved ? [] : [outcome.reason, outcome.retryable];
    const verdict = [outcome.result, reason ?? null, retryable === undefined ? null : Number(retryable)] as const;
    const issuerCode = approved ? null : (outcome.issuerCode ?? null);
    const values = [id, kind, amount, currency, source, reservationId, chargeId, ...verdict, at] as const;
    return insert.get(...values, credential, issuerCode) as Row;
  }

  function handle(operation: Operation, at: number): Handled {
    const known = find(operation.id);
    if (known) {
      return isSame(known, operation) ? { result: 'repeated', answer: answerOf(known) } : { result: 'other_content' };
    }
    if (isForbidden.get(operation.id)) return { result: 'forbidden' };
    return { result: 'acted', answer: answerOf(write(operation, at)) };
  }

  function transact<Result>(work: () => Result): Result {
    database.exec('begin immediate');
    try {
      const result = work();
      database.exec('commit');
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  }

  const findAnswer = (id: string): Answer | undefined => {
    const row = find(id);
    return row && answerOf(row);
  };

  return {
    act: (group, at) => transact(() => group.map((operation) => handle(operation, at))),
    find: findAnswer,
    forbid: (id) =>
      transact(() => {
        const answer = findAnswer(id);
        if (answer === undefined) forbid.run(id);
        return answer;
      }),
    page({ after, limit, from, to }) {
      // One more than asked for, to see whether there is another page.
      const rows = selectPage.all(after, from, to, limit + 1) as Row[];
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return { lines: shown.map(lineOf), ...(rows.length > limit && last && { next: String(last.seq) }) };
    },
    countLines: () => (selectCount.get() as { lines: number }).lines,
    close: () => database.close(),
  };
}
