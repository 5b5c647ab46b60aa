// Payments as rows: the list of columns for loads and lists, and the parser of a row. It sets the optional fields of
// plain objects one by one: lazy getters, or spreading fields into a literal, cost a request more than all the parsing.
import type { OrderItem } from '../../domain/item.ts';
import type { Issued, Movement, MovementDetails } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import type { TextRow } from '../connections/pool.ts';

const MOVEMENT_COLUMNS = [
  'id',
  'kind',
  'state',
  'sequence',
  'amount',
  'items',
  'updated_at',
  'acquirer',
  'source',
  'charge_id',
  'refunded',
  'refunding',
  'invoice_number',
  'reason',
  'details',
] as const;

const MOVEMENTS = `(
  select json_agg(json_build_array(${MOVEMENT_COLUMNS.join()}) order by sequence)
  from movements where movements.part = payment.part and movements.payment_id = payment.id
)`;

// Only selected where there can be any.
const ISSUED = `case when payment.method -> 'invoice' is not null then (
  select json_object_agg(replace(movement_id::text, '-', ''), json_build_object('number', number, 'seller', seller))
  from invoice_numbers where invoice_numbers.part = payment.part and invoice_numbers.payment_id = payment.id
) end`;

const COLUMNS = [
  'id',
  'merchant_id',
  'version',
  'amount',
  'currency',
  'reference',
  'my_reference',
  'items',
  'checkout_url',
  'checkout',
  'consumer',
  'method',
  'challenge',
  'terminated_at',
  'reserved',
  'charged',
  'charging',
  'cancelled',
  'cancelling',
  'refunded',
  'refunding',
  'movements',
  'issued',
] as const;

/** The columns of `payment` that a statement selects first. */
export const PAYMENT_COLUMNS = COLUMNS.map(
  (name) => ({ movements: MOVEMENTS, issued: ISSUED })[name as string] ?? `payment.${name}`,
).join(', ');

// None on a standby, which a server may be until it is promoted.
const SERVER_START = `(
  select case when not pg_is_in_recovery() then extract(epoch from pg_postmaster_start_time())::text end
)`;

/** Identifies the state of a payment as it was read. */
export const PAYMENT_STAMP = `payment.version || ' ' || payment.xmin::text || ' ' || ${SERVER_START}`;

/** The index of each column in a row. */
const placesOf = <Name extends string>(names: readonly Name[], first = 0) =>
  Object.fromEntries(names.map((name, place) => [name, first + place])) as Readonly<Record<Name, number>>;

/** The indexes of the columns that a statement selects after those of its payment, in order. */
export const placesAfterPayment = <Name extends string>(names: readonly Name[]) => placesOf(names, COLUMNS.length);

const AT = placesOf(COLUMNS);
const OF_MOVEMENT = placesOf(MOVEMENT_COLUMNS);

const DASHED_LENGTH = 36;

/** Removes the hyphens of an id; half the time of replaceAll, and there are many. */
export const plainId = (uuid: string): string =>
  uuid.length === DASHED_LENGTH
    ? uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24)
    : uuid;

/** Writable while it is built. */
export type Writable<Data> = { -readonly [Field in keyof Data]: Data[Field] };

type MovementRow = readonly (string | number | readonly OrderItem[] | MovementDetails | null)[];

function readMovement(row: MovementRow): Movement {
  const movement: Writable<Movement> = {
    id: plainId(row[OF_MOVEMENT.id] as string),
    kind: row[OF_MOVEMENT.kind] as Movement['kind'],
    state: row[OF_MOVEMENT.state] as Movement['state'],
    sequence: row[OF_MOVEMENT.sequence] as number,
    amount: row[OF_MOVEMENT.amount] as number,
    items: row[OF_MOVEMENT.items] as Movement['items'],
    updatedAt: Date.parse(row[OF_MOVEMENT.updated_at] as string),
    acquirer: row[OF_MOVEMENT.acquirer] as string,
    refunded: row[OF_MOVEMENT.refunded] as number,
    refunding: row[OF_MOVEMENT.refunding] as number,
  };
  const [source, chargeId, invoiceNumber, reason] = [
    row[OF_MOVEMENT.source] as string | null,
    row[OF_MOVEMENT.charge_id] as string | null,
    row[OF_MOVEMENT.invoice_number] as string | null,
    row[OF_MOVEMENT.reason] as string | null,
  ];
  if (source !== null) movement.source = source;
  if (chargeId !== null) movement.chargeId = plainId(chargeId);
  if (invoiceNumber !== null) movement.invoiceNumber = invoiceNumber;
  if (reason !== null) movement.reason = reason;
  const details = row[OF_MOVEMENT.details] as MovementDetails | null;
  if (details !== null) movement.details = details;
  return movement;
}

type IssuedById = Readonly<Record<string, Issued>>;

const withIssued = (movements: readonly Movement[], issued: IssuedById): Movement[] =>
  movements.map((movement) => {
    const own = issued[movement.id];
    return own ? { ...movement, issued: own } : movement;
  });

/** The payment in a row with these columns; undefined if there is none. */
export function readPayment(row: TextRow): Payment | undefined {
  const id = row[AT.id];
  if (id == null) return undefined;
  const order: Writable<Payment['order']> = {
    amount: Number(row[AT.amount]),
    currency: row[AT.currency] as string,
    items: JSON.parse(row[AT.items] as string) as Payment['order']['items'],
  };
  const reference = row[AT.reference];
  if (reference != null) order.reference = reference;
  const movements = row[AT.movements];
  const payment: Writable<Payment> = {
    id: plainId(id),
    merchantId: Number(row[AT.merchant_id]),
    version: Number(row[AT.version]),
    order,
    checkout: JSON.parse(row[AT.checkout] as string) as Payment['checkout'],
    consumer: JSON.parse(row[AT.consumer] as string) as Payment['consumer'],
    totals: {
      reserved: Number(row[AT.reserved]),
      charged: Number(row[AT.charged]),
      charging: Number(row[AT.charging]),
      cancelled: Number(row[AT.cancelled]),
      cancelling: Number(row[AT.cancelling]),
      refunded: Number(row[AT.refunded]),
      refunding: Number(row[AT.refunding]),
    },
    movements: movements == null ? [] : (JSON.parse(movements) as MovementRow[]).map(readMovement),
  };
  const myReference = row[AT.my_reference];
  if (myReference != null) payment.myReference = myReference;
  const checkoutUrl = row[AT.checkout_url];
  if (checkoutUrl != null) payment.checkoutUrl = checkoutUrl;
  const method = row[AT.method];
  if (method != null) payment.method = JSON.parse(method) as NonNullable<Payment['method']>;
  const challenge = row[AT.challenge];
  if (challenge != null) payment.challenge = JSON.parse(challenge) as NonNullable<Payment['challenge']>;
  const terminatedAt = row[AT.terminated_at];
  if (terminatedAt != null) payment.terminatedAt = Date.parse(terminatedAt);
  const issued = row[AT.issued];
  if (issued != null) payment.movements = withIssued(payment.movements, JSON.parse(issued) as IssuedById);
  return payment;
}
