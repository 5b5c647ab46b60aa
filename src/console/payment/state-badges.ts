// A word or two that say how something stands, in a colour that says the same: the state of a payment, in the list and on
// its own page.
import type { StateInWords, StateWord } from '../../domain/state.ts';
import type { Language } from '../../pages/language.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { consoleTexts } from '../texts.ts';

export type Badge = { readonly text: string; readonly tone: 'good' | 'bad' | 'wait' | 'neutral' };

export const renderBadge = ({ text, tone }: Badge): Html => html`<span class="badge ${tone}">${text}</span>`;

const TONES: Readonly<Record<StateWord, Badge['tone']>> = {
  created: 'neutral',
  declined: 'bad',
  pending: 'wait',
  reserved: 'wait',
  'partly charged': 'good',
  charged: 'good',
  'partly refunded': 'neutral',
  refunded: 'neutral',
  'partly cancelled': 'neutral',
  cancelled: 'neutral',
  terminated: 'neutral',
  expired: 'neutral',
  'reservation expired': 'neutral',
  'card saved': 'good',
};

export function stateTexts(language: Language): Readonly<Record<StateWord, string>> {
  const { partlyCancelled, reservationExpired, ...texts } = consoleTexts(language).payment.standings;
  return { ...texts, 'partly cancelled': partlyCancelled, 'reservation expired': reservationExpired };
}

export const badgesOf = ({ state, also }: StateInWords, language: Language): Badge[] =>
  [state, ...also].map((word) => ({ text: stateTexts(language)[word], tone: TONES[word] }));
