// Payments by prefixes of names: first the matching names, which take a few steps in an index however many payments
// have them; then a walk for each name. The expressions must equal those of the indexes.
import type { Pool } from '../../connections/pool.ts';
import type { Condition } from '../../statements/put.ts';
import { begins, MOST_SPELLINGS, spellingsOf } from './spellings.ts';

const NAME = `lower(coalesce(consumer -> 'company' ->> 'name', consumer -> 'person' ->> 'lastName')) collate "C"`;
const FIRST_NAME = `lower(coalesce(consumer -> 'company' ->> 'firstName', consumer -> 'person' ->> 'firstName')) collate "C"`;
// Names per prefix; to find others, type more letters.
const MOST_NAMES = 8;

/** One walk of a search. */
export type Branch = { readonly leads: readonly Condition[]; readonly filters: readonly Condition[] };
export type Branches = { readonly branches: readonly Branch[]; readonly hasMoreNames: boolean };

export const found = (lead: Condition, ...filters: readonly Condition[]): Branch => ({ leads: [lead], filters });

/** $1 merchant, $2 the prefix. */
const namesBeginning = (name: string): string => `with recursive names (name) as (
    (select ${name} from payments where merchant_id = $1::bigint and ${begins(name, '$2')} order by ${name} limit 1)
    union all
    select (
      select ${name} from payments
      where merchant_id = $1::bigint and ${name} > names.name and ${begins(name, '$2')}
      order by ${name} limit 1)
    from names where names.name is not null
  )
  select name from names where name is not null limit ${MOST_NAMES + 1}`;

/** $1 merchant, $2 last names, $3 prefixes of a first name. */
const FULL_NAMES = `with recursive names (last, beginning, first) as (
    select wanted.last, typed.beginning, found.first from json_array_elements_text($2::json) as wanted (last)
    cross join json_array_elements_text($3::json) as typed (beginning)
    cross join lateral (
      select ${FIRST_NAME} as first from payments
      where merchant_id = $1::bigint and ${NAME} = wanted.last and ${begins(FIRST_NAME, 'typed.beginning')}
      order by ${FIRST_NAME} limit 1) as found
    union all
    select names.last, names.beginning, next.first from names
    cross join lateral (
      select ${FIRST_NAME} as first from payments
      where merchant_id = $1::bigint and ${NAME} = names.last and ${FIRST_NAME} > names.first
        and ${begins(FIRST_NAME, 'names.beginning')}
      order by ${FIRST_NAME} limit 1) as next
  )
  select last, first from names limit ${MOST_NAMES + 1}`;

type Names = { readonly names: readonly string[]; readonly hasMoreNames: boolean };

/** The first few names with this prefix. */
async function findNames(pool: Pool, merchantId: number, name: string, typed: string): Promise<Names> {
  const spellings = await spellingsOf(pool, merchantId, name, typed);
  const names: string[] = [];
  for (const spelling of spellings) {
    const rows = await pool.run({ name: '', text: namesBeginning(name) }, [merchantId, spelling]);
    names.push(...rows.map(([each]) => each as string));
    if (names.length > MOST_NAMES) break;
  }
  const hasMoreNames = names.length > MOST_NAMES || spellings.length >= MOST_SPELLINGS;
  return { names: names.slice(0, MOST_NAMES), hasMoreNames };
}

/** For each of these last names, the first names with one of these prefixes. */
async function branchesOfFullName(
  pool: Pool,
  merchantId: number,
  lasts: readonly string[],
  first: string,
): Promise<readonly Branch[]> {
  const beginnings = lasts.length === 0 ? [] : await spellingsOf(pool, merchantId, FIRST_NAME, first);
  if (beginnings.length === 0) return [];
  const values = [merchantId, JSON.stringify(lasts), JSON.stringify(beginnings)];
  const rows = await pool.run({ name: 'full_names', text: FULL_NAMES }, values);
  // If so many first names match, the prefix matches many payments with the last name.
  if (rows.length > MOST_NAMES)
    return lasts.map((last) =>
      found(
        (put) => `${NAME} = ${put(last)}`,
        (put) => `(${beginnings.map((each) => `starts_with(${FIRST_NAME}, ${put(each)})`).join(' or ')})`,
      ),
    );
  return rows.map(([last, whole]) =>
    found((put) => `${NAME} = ${put(last as string)} and ${FIRST_NAME} = ${put(whole as string)}`),
  );
}

export async function branchesOfFirstName(pool: Pool, merchantId: number, first: string): Promise<Branches> {
  const { names, hasMoreNames } = await findNames(pool, merchantId, FIRST_NAME, first);
  return { branches: names.map((name) => found((put) => `${FIRST_NAME} = ${put(name)}`)), hasMoreNames };
}

export async function branchesOfName(pool: Pool, merchantId: number, last: string, first?: string): Promise<Branches> {
  const { names, hasMoreNames } = await findNames(pool, merchantId, NAME, last);
  const branches =
    first === undefined
      ? names.map((name) => found((put) => `${NAME} = ${put(name)}`))
      : await branchesOfFullName(pool, merchantId, names, first);
  return { branches, hasMoreNames };
}
