// `kassa erase`: blanks the personal data of a payment. The books stay as they are. It says all of both, and asks before
// it does what cannot be undone.
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

// Field by field, so that none is forgotten here when it is added there.
const ERASED: Readonly<Record<keyof Consumer, string>> = {
  person: 'first and last name, date of birth',
  company: 'company, its number and its contact',
  email: 'e-mail',
  phone: 'phone',
  billingAddress: 'billing address',
  shippingAddress: 'delivery address',
  ip: 'the network address from which was paid',
  reference: 'your reference of the consumer',
  given: 'the same as your shop gave it, where the consumer typed something else',
};

const KEPT = [
  'order and items with their names and references',
  'amounts, charges, refunds, cancels, invoice numbers',
  'the mask of the card and the name that its acquirer gave it',
  'events and deliveries, without the consumer, but with the beginning of what your endpoints answered',
];
const ELSEWHERE = [
  'what was told to your endpoints or to an acquirer before',
  'what backups hold, and logs of Postgres',
];

const CARD = 'the reference by which a shop knows the card again';

const LISTS = Object.entries({ Erased: [...Object.values(ERASED), CARD], Kept: KEPT, Elsewhere: ELSEWHERE })
  .map(([title, entries]) => [`${title}:`, ...entries.map((entry) => `  ${entry}`)].join('\n'))
  .join('\n');

const noPayment = (id: string): UserError => new UserError(`There is no payment ${id}.`);

export const erase: Command = {
  usage: 'PAYMENT [--yes] [--json]',
  more: `${LISTS}\n\nIt cannot be undone, so it asks; without a terminal it wants --yes.`,
  positionals: ['PAYMENT'],
  options: { yes: { type: 'boolean', what: 'Do not ask.' }, json: JSON_OPTION },
  run: async ({ config, options, positionals }) => {
    const [text = ''] = positionals;
    const digits = text.replaceAll('-', '');
    const id = readId(digits);
    if (id === undefined && /^[0-9a-f]{32}$/i.test(digits)) throw noPayment(digits);
    if (id === undefined) throw new UserError(`PAYMENT is ${text}; it must be the 32 hex digits of a payment's id.`);
    const isSure = options['yes'] === true;
    if (!isSure && !canConfirm())
      throw new UserError(`What is erased is gone for good, and here is no terminal to ask at: give --yes.`);
    if (!isSure) {
      remark(LISTS);
      if (!(await confirm(`Erase the personal data of payment ${id}? It cannot be undone.`)))
        throw new UserError('Nothing was erased.');
    }
    return withDatabase(config, async (pool) => {
      if ((await eraseConsumer(pool, whoAsks(), id)).kind === 'no_payment') throw noPayment(id);
      if (options['json']) printJson({ paymentId: id, erased: true });
      else print(`The personal data of payment ${id} is erased.\n${LISTS}`);
      return 0;
    });
  },
};
