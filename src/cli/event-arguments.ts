// Ids and names of events on the command line. An id has 32 hex digits, with or without the dashes that a database shows.
import type { EventName } from '../domain/decision.ts';
import { readId } from '../domain/id.ts';
import { UserError } from './command.ts';
import { EVENT_NAMES } from './event-lives.ts';
import { nearestOf } from './nearest.ts';

/** The id in its one spelling; `what` it is of stands in the refusal, and in the sentence that there is none. */
export function readIdArgument(text: string, argument: string, what: string): string {
  const digits = text.replaceAll('-', '');
  const id = readId(digits);
  if (id !== undefined) return id;
  if (/^[0-9a-f]{32}$/i.test(digits)) throw new UserError(`There is no ${what} ${digits}.`);
  throw new UserError(`${argument} is ${text}; it must be the 32 hex digits of the id of ${articleOf(what)} ${what}.`);
}

const articleOf = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a');

export function readEventName(text: string): EventName {
  const name = EVENT_NAMES.find((known) => known === text);
  if (name !== undefined) return name;
  // All but one begin with payment., which is easily left out.
  const meant = nearestOf(text, EVENT_NAMES) ?? nearestOf(`payment.${text}`, EVENT_NAMES);
  const hint = meant === undefined ? `The events are ${EVENT_NAMES.join(', ')}.` : `Did you mean ${meant}?`;
  throw new UserError(`There is no event ${text}. ${hint}`);
}

/** Names with commas between them; all, when nothing or `*` was given. */
export function readEventNames(text: string | undefined): readonly EventName[] | undefined {
  if (text === undefined) return undefined;
  const given = text.split(/[\s,]+/).filter((name) => name !== '');
  if (given.length === 0) throw new UserError('No event was named; leave the option out, or give *, for all.');
  return given.includes('*') ? undefined : [...new Set(given.map(readEventName))];
}
