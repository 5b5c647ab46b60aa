// `kassa erase`: blanks the personal data of a payment. The books stay as they are.
import { readId } from '../domain/id.ts';
import { eraseConsumer } from '../store/erase.ts';
import { JSON_OPTION, print, printJson, UserError } from './command.ts';
import type { Command } from './command.ts';
import { withDatabase } from './database.ts';

export const erase: Command = {
  name: 'erase',
  summary: "Blanks a payment's consumer; the books stay.",
  usage: 'PAYMENT [--json]',
  positionals: ['PAYMENT'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const id = readId(positionals[0] as string);
    if (id === undefined) throw new UserError('A payment is named by its 32 hex digits.');
    return withDatabase(config, async (pool) => {
      if (!(await eraseConsumer(pool, id))) throw new UserError(`There is no payment ${id}.`);
      if (options['json']) printJson({ paymentId: id, erased: true });
      else print(`The consumer of payment ${id} is erased.`);
      return 0;
    });
  },
};
