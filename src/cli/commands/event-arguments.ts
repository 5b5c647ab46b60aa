// Reads event ids and names from the command line. An id has 32 hex digits, with or without the dashes of a UUID.
import type { EventName } from '../../domain/decision.ts';
import { readId } from '../../domain/id.ts';
import { UserError } from '../../ops/user-error.ts';
import { EVENT_NAMES } from '../api/event-scenarios.ts';
import { nearestOf } from '../../config/nearest.ts';

/** For the help of commands. */
export const LISTED_EVENTS = ['The events:', '', ...EVENT_NAMES.map((name) => `  ${name}`)].join('\n');

/** The id in its canonical form; `what` names the resource in error messages. */
export function readIdArgument(text: string, argument: string, what: string): string {
  const digits = text.replaceAll('-', '');
  const id = readId(digits);
  if (id !== undefined) return id;
  if (/^[0-9a-f]{32}$/i.test(digits)) throw new UserError(`There is no ${what} ${digits}.`);
  throw new UserError(`${argument} is ${text}; it must be the 32 hex digits of the id of ${articleOf(what)} ${what}.`);
}

const articleOf = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a');

const TYPO = 2;
const MOST_MEANT = 3;

/** Whether a word probably means a part of a name, as charged means charge. */
const isMeant = (part: string, word: string): boolean =>
  part.startsWith(word) || word.startsWith(part) || nearestOf(word, [part]) !== undefined;

/** Names that contain all typed parts in order; a .v2 only if it was typed. */
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

/** What was probably meant: the name with a typo, else names with the same parts, else the nearest. */
function listMeant(text: string): readonly EventName[] {
  const slip = nearestOf(text, EVENT_NAMES, TYPO);
  if (slip !== undefined) return [slip];
  const sharing = listWithParts(text);
  if (sharing.length > 0) return sharing;
  // Most start with payment., which is easily left out.
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
  throw new UserError(`Unknown event ${text}. ${hint}`);
}

/** Names separated by commas; undefined for all, when the option is missing or `*`. */
export function readEventNames(text: string | undefined): readonly EventName[] | undefined {
  if (text === undefined) return undefined;
  const given = text.split(/[\s,]+/).filter((name) => name !== '');
  if (given.length === 0) throw new UserError('The list of events is empty; leave out the option, or use *, for all.');
  const names = [...new Set(given.filter((name) => name !== '*').map(readEventName))];
  if (names.length === 0) return undefined;
  if (given.includes('*')) throw new UserError('* means all events and cannot be combined with others.');
  return names;
}
