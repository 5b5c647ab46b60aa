// Conditions for each meaning of a search text; each has an index of its own. The expressions must equal those of the
// indexes.
import { partOf } from '../../../domain/id.ts';
import { plainId } from '../../statements/payment-row.ts';
import type { Pool } from '../../connections/pool.ts';
import { isPaidBy } from './filters.ts';
import { branchesOfFirstName, branchesOfName, found } from './names.ts';
import type { Branch, Branches } from './names.ts';
import { PHONE_DIGITS } from './understand.ts';
import type { Meaning } from './understand.ts';

const EMAIL = `lower(consumer ->> 'email')`;
const PHONE = `right(regexp_replace(consumer -> 'phone' ->> 'number', '\\D', '', 'g'), ${PHONE_DIGITS})`;
const LAST_FOUR = `right(method ->> 'maskedPan', 4)`;
// Each is a walk in one statement; the first words count most.
const MOST_BRANCHES = 16;
// Payments per prefix of a reference or e-mail address; to find others, type more letters.
const MOST_BEGUN = 200;

/** $1 merchant, $2 the spellings of a prefix. The last matches: for one e-mail address, the newest payments. */
const begun = (column: string): string => `select payment.id from json_array_elements_text($2::json) as typed (text)
    cross join lateral (
      select id from payments where merchant_id = $1::bigint and ${column} >= typed.text
        and ${column} < (typed.text || U&'\\+10FFFF') and starts_with(${column}, typed.text)
      order by ${column} desc, id desc limit ${MOST_BEGUN + 1}) as payment`;

const BEGUN = ['reference', 'my_reference', EMAIL].map((column) => `(${begun(column)})`).join('\n    union all\n    ');

/** The few payments with this prefix, as one walk. */
async function branchesOfBeginning(pool: Pool, merchantId: number, text: string): Promise<Branches> {
  const spellings = [...new Set([text, text.toUpperCase(), text.toLowerCase()])];
  const rows = await pool.run({ name: '', text: BEGUN }, [merchantId, JSON.stringify(spellings)]);
  const ids = [...new Set(rows.map(([id]) => plainId(id as string)))];
  const branches = ids.length === 0 ? [] : [found((put) => `id = any (${put(`{${ids.join()}}`)}::uuid[])`)];
  return { branches, hasMoreNames: rows.length > MOST_BEGUN };
}

const ID_DIGITS = 32;

type Known = Exclude<Meaning, { readonly kind: 'name' | 'first name' | 'beginning' | 'method' }>;

function branchesOf(meaning: Known): Branch[] {
  switch (meaning.kind) {
    case 'id': {
      const part = partOf(meaning.id);
      return [
        found((put) => `part = ${put(part)}::smallint and id = ${put(meaning.id)}::uuid`),
        found(
          (put) => `part = ${put(part)}::smallint and id = (select movements.payment_id from movements
            where movements.part = ${put(part)}::smallint and movements.id = ${put(meaning.id)}::uuid)`,
        ),
      ];
    }
    case 'short id': {
      const { first, last } = meaning;
      const [from, to] = [first.padEnd(ID_DIGITS, '0'), first.padEnd(ID_DIGITS, 'f')];
      return [
        found(
          (put) => `id >= ${put(from)}::uuid and id <= ${put(to)}::uuid`,
          (put) => `right(replace(id::text, '-', ''), ${last.length}) = ${put(last)}`,
        ),
      ];
    }
    case 'reference':
      return [
        found((put) => `reference = ${put(meaning.reference)}`),
        found((put) => `my_reference = ${put(meaning.reference)}`),
      ];
    case 'email':
      return [found((put) => `${EMAIL} = lower(${put(meaning.email)})`)];
    case 'phone':
      return [found((put) => `${PHONE} = ${put(meaning.digits.slice(-PHONE_DIGITS))}`)];
    case 'last four': {
      const { digits, method } = meaning;
      return [found((put) => `${LAST_FOUR} = ${put(digits)}`, ...(method === undefined ? [] : [isPaidBy(method)]))];
    }
    case 'amount': {
      const codes = meaning.currencies.map((code) => `'${code}'`).join();
      return [
        found(
          (put) => `amount = ${put(meaning.amount)}::bigint`,
          () => `currency in (${codes})`,
        ),
      ];
    }
  }
}

async function lookUp(pool: Pool, merchantId: number, meaning: Meaning): Promise<Branches> {
  switch (meaning.kind) {
    case 'name':
      return branchesOfName(pool, merchantId, meaning.last, meaning.first);
    case 'first name':
      return branchesOfFirstName(pool, merchantId, meaning.first);
    case 'beginning':
      return branchesOfBeginning(pool, merchantId, meaning.text);
    // Payments of a method are listed like the filter lists them.
    case 'method':
      return { branches: [], hasMoreNames: false };
    default:
      return { branches: branchesOf(meaning), hasMoreNames: false };
  }
}

/** Takes one of each in turn, so that many names with one prefix leave room for other meanings of the text. */
function inTurn(lists: readonly (readonly Branch[])[]): Branch[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_none, place) =>
    lists.flatMap((list) => list.slice(place, place + 1)),
  ).flat();
}

export async function findBranches(pool: Pool, merchantId: number, meanings: readonly Meaning[]): Promise<Branches> {
  const all: (readonly Branch[])[] = [];
  let hasMoreNames = false;
  let names = 0;
  for (const meaning of meanings) {
    if (names >= MOST_BRANCHES) break;
    const looked = await lookUp(pool, merchantId, meaning);
    all.push(looked.branches);
    hasMoreNames ||= looked.hasMoreNames;
    names += looked.branches.length;
  }
  const branches = inTurn(all);
  return { branches: branches.slice(0, MOST_BRANCHES), hasMoreNames: hasMoreNames || branches.length > MOST_BRANCHES };
}
