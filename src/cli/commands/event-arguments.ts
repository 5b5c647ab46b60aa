// Ids and names of events on the command line. An id has 32 hex digits, with or without the dashes that a database shows.
import type { EventName } from '../../domain/decision.ts';
import { readId } from '../../domain/id.ts';
import { UserError } from '../../ops/user-error.ts';
import { EVENT_NAMES } from '../api/event-scenarios.ts';
import { nearestOf } from '../../config/nearest.ts';

/** For the help of a command. */
export const LISTED_EVENTS = ['The events:', '', ...EVENT_NAMES.map((name) => `  ${name}`)].join('\n');

/** The id in its one spelling; `what` it is of stands in the refusal, and in the sentence that there is none. */
export function readIdArgument(text: string, argument: string, what: string): string {
  const digits = text.replaceAll('-', '');
  const id = readId(digits);
  if (id !== undefined) return id;
  if (/^[0-9a-f]{32}$/i.test(digits)) throw new UserError(`There is no ${what} ${digits}.`);
  throw new UserError(`${argument} is ${text}; it must be the 32 hex digits of the id of ${articleOf(what)} ${what}.`);
}

const articleOf = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a');

const SLIP = 2;
const MOST_MEANT = 3;

/** Whether a part of a name was meant by a word: charged means charge. */
const isMeant = (part: string, word: string): boolean =>
  part.startsWith(word) || word.startsWith(part) || nearestOf(word, [part]) !== undefined;

/** Names that hold, in order, all the parts that were typed; a second version only where it was asked for. */
function listWithParts(text: string): EventName[] {
  const words = text.toLowerCase().match(/[^.\s_-]+/g) ?? [];
  const holding = EVENT_NAMES.filter((name) => {
    const left = [...words];
    for (const part of name.split('.')) if (left[0] !== undefined && isMeant(part, left[0])) left.shift();
    return left.length === 0;
  });
  const meant = holding.filter((name) => !holding.some((other) => name === `${other}.v2`));
  return meant.length <= MOST_MEANT ? meant : [];
}

/** What was probably meant: a name with a slip of the keys, else those that share its parts, else the nearest. */
function listMeant(text: string): readonly EventName[] {
  const slip = nearestOf(text, EVENT_NAMES, SLIP);
  if (slip !== undefined) return [slip];
  const sharing = listWithParts(text);
  if (sharing.length > 0) return sharing;
  // All but one begin with payment., which is easily left out.
  return [nearestOf(text, EVENT_NAMES) ?? nearestOf(`payment.${text}`, EVENT_NAMES)].filter(
    (name) => name !== undefined,
  );
}

export function readEventName(text: string): EventName {
  const name = EVENT_NAMES.find((known) => known === text);
  if (name !== undefined) return name;
  const meant = listMeant(text);
  const hint =
    meant.length === 0
      ? `The events are ${EVENT_NAMES.join(', ')}.`
      : `Did you mean ${meant.join(' or ')}? kassa help trigger lists all events.`;
  throw new UserError(`There is no event ${text}. ${hint}`);
}

/** Names with commas between them; all, when nothing or `*` was given. */
export function readEventNames(text: string | undefined): readonly EventName[] | undefined {
  if (text === undefined) return undefined;
  const given = text.split(/[\s,]+/).filter((name) => name !== '');
  if (given.length === 0) throw new UserError('No event was named; leave the option out, or give *, for all.');
  const names = [...new Set(given.filter((name) => name !== '*').map(readEventName))];
  if (names.length === 0) return undefined;
  if (given.includes('*')) throw new UserError('* must stand alone: it means all events.');
  return names;
}
