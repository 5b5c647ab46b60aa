// Names as people type them on another keyboard: "muller" and "mueller" are Müller, "sorensen" is Sørensen. What is
// typed is spelled out letter by letter along the index of names, and only beginnings that somebody's name has are
// followed, so that no index of folded names is needed. A letter that is typed with its mark is that letter alone.
import type { Pool } from '../../connections/pool.ts';

// Beginnings that are followed at once: names that are spelled in more ways need more of their letters.
export const MOST_SPELLINGS = 8;
// What comes behind is taken as it is typed.
const MOST_LETTERS = 40;
const [FIRST_MARKED, LAST_MARKED] = [0xc0, 0x17f];
// Letters of their own, which no mark can be taken from.
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
// Two letters that are typed for one: the second one adds nothing to it.
const PAIRS: Readonly<Record<string, string>> = { ae: 'äæ', oe: 'öøœ', ue: 'ü', aa: 'å', ss: 'ß', th: 'þ' };

/** With their capitals: a database in the locale C makes no small letters of them. */
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

/** What a letter adds to a beginning; nothing behind those that it was typed for the second half of. */
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

/** Names that begin with a text that stands for it in a statement. */
export const begins = (name: string, text: string): string =>
  `${name} >= (${text}) collate "C" and ${name} < ((${text}) || U&'\\+10FFFF') collate "C"`;

/** $1 merchant, $2 the ways of each letter, $3 how many letters. What is typed is first of what is found. */
const spell = (name: string): string => `with recursive steps (place, beginnings) as (
    select 0, array['']
    union all
    select place + 1, array(
      select had.text || way.text from unnest(beginnings) with ordinality as had (text, place)
      -- Whether any name goes on with a letter that is not of ASCII is asked once for all of those.
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

/** The beginnings of names there are that a text may be typed for. */
export async function spellingsOf(pool: Pool, merchantId: number, name: string, typed: string): Promise<string[]> {
  const ways = waysOf(typed);
  const rows = await pool.run({ name: '', text: spell(name) }, [merchantId, JSON.stringify(ways), ways.length]);
  return rows.map(([text]) => text as string);
}
