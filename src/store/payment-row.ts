// A payment as the database gives it: the one list of columns that loads and lists read it by, and the reading of a row.
// Rows are read into plain objects whose optional fields are set one by one: getters that parse later, or fields spread
// into a literal, cost a request more than all the parsing.
import type { OrderItem } from '../domain/item.ts';
import type { Issued, Movement, MovementDetails } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import type { TextRow } from './pool.ts';

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

// Asked for only where there can be any.
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

/** What a statement selects of its `payment`, before everything else that it selects. */
export const PAYMENT_COLUMNS = COLUMNS.map(
  (name) => ({ movements: MOVEMENTS, issued: ISSUED })[name as string] ?? `payment.${name}`,
).join(', ');

/** The place of each column in a row. */
const placesOf = <Name extends string>(names: readonly Name[], first = 0) =>
  Object.fromEntries(names.map((name, place) => [name, first + place])) as Readonly<Record<Name, number>>;

/** The places of the columns that a statement selects after those of its payment, in its order. */
export const placesAfterPayment = <Name extends string>(names: readonly Name[]) => placesOf(names, COLUMNS.length);

const AT = placesOf(COLUMNS);
const OF_MOVEMENT = placesOf(MOVEMENT_COLUMNS);

/** The plain spelling of an id as Postgres prints it. */
export const plainId = (uuid: string): string => uuid.replaceAll('-', '');

/** Data while it is put together. */
export type Writable<Data> = { -readonly [Field in keyof Data]: Data[Field] };

type MovementRow = readonly (string | number | readonly OrderItem[] | MovementDetails | null)[];

function readMovement(row: MovementRow): Movement {
  const text = (name: keyof typeof OF_MOVEMENT): string => row[OF_MOVEMENT[name]] as string;
  const number = (name: keyof typeof OF_MOVEMENT): number => row[OF_MOVEMENT[name]] as number;
  const given = (name: keyof typeof OF_MOVEMENT): string | null => row[OF_MOVEMENT[name]] as string | null;
  const movement: Writable<Movement> = {
    id: plainId(text('id')),
    kind: text('kind') as Movement['kind'],
    state: text('state') as Movement['state'],
    sequence: number('sequence'),
    amount: number('amount'),
    items: row[OF_MOVEMENT.items] as Movement['items'],
    updatedAt: Date.parse(text('updated_at')),
    acquirer: text('acquirer'),
    refunded: number('refunded'),
    refunding: number('refunding'),
  };
  const [source, chargeId, invoiceNumber, reason] = [
    given('source'),
    given('charge_id'),
    given('invoice_number'),
    given('reason'),
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

/** The payment in a row of a statement with these columns; undefined where it found none. */
export function readPayment(row: TextRow): Payment | undefined {
  const id = row[AT.id];
  if (id == null) return undefined;
  const text = (name: keyof typeof AT): string => row[AT[name]] as string;
  const number = (name: keyof typeof AT): number => Number(row[AT[name]]);
  const given = (name: keyof typeof AT): string | undefined => row[AT[name]] ?? undefined;
  const order: Writable<Payment['order']> = {
    amount: number('amount'),
    currency: text('currency'),
    items: JSON.parse(text('items')) as Payment['order']['items'],
  };
  const reference = given('reference');
  if (reference !== undefined) order.reference = reference;
  const movements = given('movements');
  const payment: Writable<Payment> = {
    id: plainId(id),
    merchantId: number('merchant_id'),
    version: number('version'),
    order,
    checkout: JSON.parse(text('checkout')) as Payment['checkout'],
    consumer: JSON.parse(text('consumer')) as Payment['consumer'],
    totals: {
      reserved: number('reserved'),
      charged: number('charged'),
      charging: number('charging'),
      cancelled: number('cancelled'),
      cancelling: number('cancelling'),
      refunded: number('refunded'),
      refunding: number('refunding'),
    },
    movements: movements === undefined ? [] : (JSON.parse(movements) as MovementRow[]).map(readMovement),
  };
  const myReference = given('my_reference');
  if (myReference !== undefined) payment.myReference = myReference;
  const checkoutUrl = given('checkout_url');
  if (checkoutUrl !== undefined) payment.checkoutUrl = checkoutUrl;
  const method = given('method');
  if (method !== undefined) payment.method = JSON.parse(method) as NonNullable<Payment['method']>;
  const challenge = given('challenge');
  if (challenge !== undefined) payment.challenge = JSON.parse(challenge) as NonNullable<Payment['challenge']>;
  const terminatedAt = given('terminated_at');
  if (terminatedAt !== undefined) payment.terminatedAt = Date.parse(terminatedAt);
  const issued = given('issued');
  if (issued !== undefined) payment.movements = withIssued(payment.movements, JSON.parse(issued) as IssuedById);
  return payment;
}
