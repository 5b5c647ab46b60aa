// What the page says besides the errors of single fields: the notice about the last try, the sentence beside the button,
// and what only those who listen need to be told. Of the first two there is one at a time: the newer takes the place of
// the older, so that nobody reads that a payment was declined beside a word on the next.
import { byId } from './page-data.ts';

/** Says something to a screen reader, in a place that is there all the time: a new one might not be heard. */
export function announce(text: string): void {
  let region = byId('announcer');
  if (!region) {
    region = document.createElement('p');
    region.id = 'announcer';
    region.className = 'visually-hidden';
    region.setAttribute('role', 'status');
    document.body.append(region);
  }
  region.textContent = text;
}

/** The sentence beside the button; with an empty text it goes. */
export function showFormError(text: string): void {
  const place = byId('form-error');
  place?.removeAttribute('aria-live');
  if (place) place.textContent = text;
  else announce(text);
  const notice = byId('notice');
  if (text !== '' && notice) notice.hidden = true;
}

/** Puts it right where it still says so, and interrupts nobody who listens: they are at another field. */
export function correctFormError(from: string, to: string): void {
  const place = byId('form-error');
  if (place?.textContent !== from || from === to) return;
  place.setAttribute('aria-live', 'off');
  place.textContent = to;
}

/**
 * The word on the last try. The server puts it above all; who has just pressed the button looks at the fields of the
 * card, so there it can move. What it said before goes.
 */
export function showNotice(text: string, isAtCard = false): void {
  const notice = byId('notice');
  if (!notice) return;
  if (isAtCard) byId('payment-heading')?.after(notice);
  notice.className = 'notice';
  notice.setAttribute('role', 'alert');
  notice.hidden = text === '';
  notice.textContent = text;
  const sentence = byId('form-error');
  if (text !== '' && sentence) sentence.textContent = '';
}
