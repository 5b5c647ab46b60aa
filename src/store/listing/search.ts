// Where each meaning of a searched text is found: conditions that an index of its own answers. The expressions are those of
// the indexes, letter by letter.
import { partOf } from '../../domain/id.ts';
import type { Pool } from '../pool.ts';
import type { Condition } from './statement.ts';
import { PHONE_DIGITS } from './understand.ts';
import type { Meaning } from './understand.ts';

const EMAIL = `lower(consumer ->> 'email')`;
const PHONE = `right(regexp_replace(consumer -> 'phone' ->> 'number', '\\D', '', 'g'), ${PHONE_DIGITS})`;
const NAME = `lower(coalesce(consumer -> 'company' ->> 'name', consumer -> 'person' ->> 'lastName')) collate "C"`;
const FIRST_NAME = `lower(coalesce(consumer -> 'company' ->> 'firstName', consumer -> 'person' ->> 'firstName')) collate "C"`;
const LAST_FOUR = `right(method ->> 'maskedPan', 4)`;
// Each is a walk of its own in one statement: what is typed first means most.
const MOST_BRANCHES = 12;
// Names that begin as somebody has typed: who means another one types more of it.
const MOST_NAMES = 8;

/** One walk of a search. */
export type Branch = { readonly leads: readonly Condition[]; readonly filters: readonly Condition[] };

const found = (lead: Condition, ...filters: readonly Condition[]): Branch => ({ leads: [lead], filters });

/** Names that begin as a text does: they come before it and the last letter there is. */
const begins = (name: string, text: string): string =>
  `${name} >= lower(${text}) collate "C" and ${name} < (lower(${text}) || U&'\\+10FFFF') collate "C"`;

/** $1 merchant, $2 the beginning. */
const NAMES_BEGINNING = `with recursive names (name) as (
    (select ${NAME} from payments where merchant_id = $1::bigint and ${begins(NAME, '$2')} order by ${NAME} limit 1)
    union all
    select (
      select ${NAME} from payments
      where merchant_id = $1::bigint and ${NAME} > names.name and ${begins(NAME, '$2')}
      order by ${NAME} limit 1)
    from names where names.name is not null
  )
  select name from names where name is not null limit ${MOST_NAMES + 1}`;

/** $1 merchant, $2 last names, $3 the beginning of a first name. */
const FULL_NAMES = `with recursive names (last, first) as (
    select wanted.last, found.first from json_array_elements_text($2::json) as wanted (last)
    cross join lateral (
      select ${FIRST_NAME} as first from payments
      where merchant_id = $1::bigint and ${NAME} = wanted.last and ${begins(FIRST_NAME, '$3')}
      order by ${FIRST_NAME} limit 1) as found
    union all
    select names.last, next.first from names
    cross join lateral (
      select ${FIRST_NAME} as first from payments
      where merchant_id = $1::bigint and ${NAME} = names.last and ${FIRST_NAME} > names.first
        and ${begins(FIRST_NAME, '$3')}
      order by ${FIRST_NAME} limit 1) as next
  )
  select last, first from names limit ${MOST_NAMES + 1}`;

/** The names there are that begin so, the first few of them: each is one step in the index, however many have it. */
async function namesBeginning(pool: Pool, merchantId: number, text: string): Promise<string[]> {
  const rows = await pool.run({ name: 'names_beginning', text: NAMES_BEGINNING }, [merchantId, text]);
  return rows.map(([name]) => name as string);
}

export type Branches = { readonly branches: readonly Branch[]; readonly hasMoreNames: boolean };

/** Of each of these last names those whose first name begins so. */
async function branchesOfFullName(
  pool: Pool,
  merchantId: number,
  lasts: readonly string[],
  first: string,
): Promise<Branch[]> {
  const values = [merchantId, JSON.stringify(lasts), first];
  const rows = await pool.run({ name: 'full_names', text: FULL_NAMES }, values);
  // A beginning that so many first names have is met by many of those who have the last name.
  if (rows.length > MOST_NAMES)
    return lasts.map((last) =>
      found(
        (put) => `${NAME} = ${put(last)}`,
        (put) => `starts_with(${FIRST_NAME}, lower(${put(first)}))`,
      ),
    );
  return rows.map(([last, whole]) =>
    found((put) => `${NAME} = ${put(last as string)} and ${FIRST_NAME} = ${put(whole as string)}`),
  );
}

async function branchesOfName(pool: Pool, merchantId: number, last: string, first?: string): Promise<Branches> {
  const names = await namesBeginning(pool, merchantId, last);
  const lasts = names.slice(0, MOST_NAMES);
  const branches =
    first === undefined
      ? lasts.map((name) => found((put) => `${NAME} = ${put(name)}`))
      : lasts.length === 0
        ? []
        : await branchesOfFullName(pool, merchantId, lasts, first);
  return { branches, hasMoreNames: names.length > MOST_NAMES };
}

function branchesOf(meaning: Exclude<Meaning, { kind: 'name' }>): Branch[] {
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
    case 'reference':
      return [
        found((put) => `reference = ${put(meaning.reference)}`),
        found((put) => `my_reference = ${put(meaning.reference)}`),
      ];
    case 'email':
      return [found((put) => `${EMAIL} = lower(${put(meaning.email)})`)];
    case 'phone':
      return [found((put) => `${PHONE} = ${put(meaning.digits.slice(-PHONE_DIGITS))}`)];
    case 'last four':
      return [found((put) => `${LAST_FOUR} = ${put(meaning.digits)}`)];
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

export async function findBranches(pool: Pool, merchantId: number, meanings: readonly Meaning[]): Promise<Branches> {
  const all: Branch[] = [];
  let hasMoreNames = false;
  for (const meaning of meanings) {
    if (all.length >= MOST_BRANCHES) break;
    if (meaning.kind !== 'name') {
      all.push(...branchesOf(meaning));
      continue;
    }
    const named = await branchesOfName(pool, merchantId, meaning.last, meaning.first);
    all.push(...named.branches);
    hasMoreNames ||= named.hasMoreNames;
  }
  // What comes last are names: who means one of those types more of it.
  return { branches: all.slice(0, MOST_BRANCHES), hasMoreNames: hasMoreNames || all.length > MOST_BRANCHES };
}
