// Names as typed on another keyboard: "muller" and "mueller" match Müller, "sorensen" matches Sørensen. The text is
// expanded letter by letter along the index of names, following only prefixes that exist, so that no index of folded
// names is needed. A letter typed with its accent matches only that letter.
import type { Pool } from '../../connections/pool.ts';

// Prefixes followed at once; names with more spellings need more letters.
export const MOST_SPELLINGS = 8;
// Later letters are taken as typed.
const MOST_LETTERS = 40;
const [FIRST_MARKED, LAST_MARKED] = [0xc0, 0x17f];
// Letters that do not decompose into a base letter and an accent.
const OWN: Readonly<Record<string, string>> = {
  a: 'æ',
  d: 'ðđ',
  h: 'ħ',
  i: 'ı',
  l: 'ł',
  n: 'ŋ',
  o: 'øœ',
  s: 'ßș',
  t: 'þțŧ',
};
// Two letters typed for one: the second one adds nothing.
const PAIRS: Readonly<Record<string, string>> = { ae: 'äæ', oe: 'öøœ', ue: 'ü', aa: 'å', ss: 'ß', th: 'þ' };

/** With capitals, since a database in the locale C does not convert them. */
const bothCases = (letters: string): readonly string[] => [
  ...new Set(
    Array.from(letters)
      .flatMap((each) => [each, each.toUpperCase()])
      .filter((each) => each.length === 1),
  ),
];

const marked = new Map<string, string>();
for (let code = FIRST_MARKED; code <= LAST_MARKED; code += 1) {
  const letter = String.fromCharCode(code);
  const [base = ''] = letter.normalize('NFD');
  if (base !== letter && /[a-z]/.test(base)) marked.set(base, (marked.get(base) ?? '') + letter);
}
for (const [base, letters] of Object.entries(OWN)) marked.set(base, (marked.get(base) ?? '') + letters);

/** What a letter adds to a prefix; nothing after a letter of which it is the second half. */
type Way = { readonly text: string; readonly behind?: string };

export function waysOf(typed: string): readonly (readonly Way[])[] {
  const letters = Array.from(typed.toLowerCase());
  const all = letters.slice(0, MOST_LETTERS).map((letter, place): Way[] => {
    const behind = PAIRS[(letters[place - 1] ?? '') + letter];
    const others = bothCases(letter < '\u{80}' ? (marked.get(letter) ?? '') : letter);
    const ways: Way[] = [...new Set([letter, ...others])].map((text) => ({ text }));
    return behind === undefined ? ways : [...ways, { text: '', behind: bothCases(behind).join('') }];
  });
  const rest = letters.slice(MOST_LETTERS).join('');
  return rest === '' ? all : [...all, [{ text: rest }]];
}

/** Names that begin with a parameter of a statement. */
export const begins = (name: string, text: string): string =>
  `${name} >= (${text}) collate "C" and ${name} < ((${text}) || U&'\\+10FFFF') collate "C"`;

/** $1 merchant, $2 the variants of each letter, $3 the number of letters. The text as typed comes first. */
const spell = (name: string): string => `with recursive steps (place, beginnings) as (
    select 0, array['']
    union all
    select place + 1, array(
      select had.text || way.text from unnest(beginnings) with ordinality as had (text, place)
      -- A single check for all letters outside of ASCII: whether any name continues with one.
      cross join lateral (
        select exists (select from payments where merchant_id = $1::bigint
          and ${name} >= (had.text || U&'\\0080') collate "C"
          and ${name} < (had.text || U&'\\+10FFFF') collate "C") as has_marked offset 0) as beyond
      cross join lateral rows from (json_to_recordset($2::json -> steps.place) as (text text, behind text))
        with ordinality as way (text, behind, place)
      where case
        when way.behind is not null then position(right(had.text, 1) in way.behind) > 0 and had.text <> ''
        when way.text >= U&'\\0080' collate "C" and not beyond.has_marked then false
        else exists (select from payments where merchant_id = $1::bigint and ${begins(name, 'had.text || way.text')})
      end
      order by had.place, way.place limit ${MOST_SPELLINGS})
    from steps where place < $3::int and cardinality(beginnings) > 0
  )
  select unnest(beginnings) from steps where place = $3::int`;

/** The existing prefixes of names that a text may stand for. */
export async function spellingsOf(pool: Pool, merchantId: number, name: string, typed: string): Promise<string[]> {
  const ways = waysOf(typed);
  const rows = await pool.run({ name: '', text: spell(name) }, [merchantId, JSON.stringify(ways), ways.length]);
  return rows.map(([text]) => text as string);
}
