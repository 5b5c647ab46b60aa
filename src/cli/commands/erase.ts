// `kassa erase`: erases the personal data of a payment and keeps its bookkeeping. It lists both, and asks for confirmation.
import type { Consumer } from '../../domain/consumer.ts';
import { readId } from '../../domain/id.ts';
import { eraseConsumer } from '../../merchants/erase.ts';
import { confirm, canConfirm } from '../terminal/confirm.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { withDatabase } from '../../start/database.ts';
import { whoAsks } from './who.ts';

// Typed by field, so that a new field cannot be missed here.
const ERASED: Readonly<Record<keyof Consumer, string>> = {
  person: 'first and last name, date of birth',
  company: 'company, its number and its contact',
  email: 'e-mail',
  phone: 'phone',
  billingAddress: 'billing address',
  shippingAddress: 'delivery address',
  ip: 'the IP address the payment was made from',
  reference: 'your reference for the consumer',
  given: 'the same data as sent by your shop, if the consumer typed something else',
};

const KEPT = [
  'order and items with their names and references',
  'amounts, charges, refunds, cancels, invoice numbers',
  "the masked card number and the acquirer's card brand",
  "events and deliveries, without the consumer, but with the start of your endpoints' responses",
];
const ELSEWHERE = ['what was already sent to your endpoints or to an acquirer', 'backups and Postgres logs'];

const CARD = 'the reference by which a shop recognizes the card';

const LISTS = Object.entries({ Erased: [...Object.values(ERASED), CARD], Kept: KEPT, Elsewhere: ELSEWHERE })
  .map(([title, entries]) => [`${title}:`, ...entries.map((entry) => `  ${entry}`)].join('\n'))
  .join('\n');

const noPayment = (id: string): UserError => new UserError(`There is no payment ${id}.`);

export const erase: Command = {
  usage: 'PAYMENT [--yes] [--json]',
  more: `${LISTS}\n\nThis cannot be undone, so it asks for confirmation; without a terminal, --yes is required.`,
  positionals: ['PAYMENT'],
  options: { yes: { type: 'boolean', what: 'Do not ask for confirmation.' }, json: JSON_OPTION },
  run: async ({ config, options, positionals }) => {
    const [text = ''] = positionals;
    const digits = text.replaceAll('-', '');
    const id = readId(digits);
    if (id === undefined && /^[0-9a-f]{32}$/i.test(digits)) throw noPayment(digits);
    if (id === undefined) throw new UserError(`PAYMENT is ${text}; it must be the 32 hex digits of a payment's id.`);
    const isSure = options['yes'] === true;
    if (!isSure && !canConfirm())
      throw new UserError(`Erasing cannot be undone, and there is no terminal to confirm it: pass --yes.`);
    if (!isSure) {
      remark(LISTS);
      if (!(await confirm(`Erase the personal data of payment ${id}? This cannot be undone.`)))
        throw new UserError('Nothing was erased.');
    }
    return withDatabase(config, async (pool) => {
      if ((await eraseConsumer(pool, whoAsks(), id)).kind === 'no_payment') throw noPayment(id);
      if (options['json']) printJson({ paymentId: id, erased: true });
      else print(`Erased the personal data of payment ${id}.\n${LISTS}`);
      return 0;
    });
  },
};
