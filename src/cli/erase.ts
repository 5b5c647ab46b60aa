// `kassa erase`: blanks the personal data of a payment. The books stay as they are, and it says so.
import { readId } from '../domain/id.ts';
import { eraseConsumer } from '../store/erase.ts';
import { JSON_OPTION, print, printJson, UserError } from './command.ts';
import type { Command } from './command.ts';
import { withDatabase } from './database.ts';

const GONE = 'name, date of birth, company, e-mail, phone, addresses, the reference of the consumer';
const KEPT = 'order and items with their references, amounts, charges, refunds, cancels, events, the mask of the card';

const noPayment = (id: string): UserError => new UserError(`There is no payment ${id}.`);

export const erase: Command = {
  name: 'erase',
  summary: "Erase a payment's personal data; the books stay.",
  usage: 'PAYMENT [--json]',
  more: `Erased:  ${GONE}.\nKept:    ${KEPT}.\n\nIt cannot be undone. Backups made before still hold what was erased.`,
  positionals: ['PAYMENT'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const [text = ''] = positionals;
    const digits = text.replaceAll('-', '');
    const id = readId(digits);
    if (id === undefined && /^[0-9a-f]{32}$/i.test(digits)) throw noPayment(digits);
    if (id === undefined) throw new UserError(`PAYMENT is ${text}; it must be the 32 hex digits of a payment's id.`);
    return withDatabase(config, async (pool) => {
      if (!(await eraseConsumer(pool, id))) throw noPayment(id);
      if (options['json']) printJson({ paymentId: id, erased: true });
      else print(`The personal data of payment ${id} is erased.\nErased:  ${GONE}.\nKept:    ${KEPT}.`);
      return 0;
    });
  },
};
