// The overview, in Swedish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const sv: TextsOf<typeof en> = {
  orMore: '{count} eller fler',
  longPending: {
    one: 'Utfallet av {number} händelse har varit okänt i mer än tio minuter. Kassa fortsätter att fråga inlösaren; inget går förlorat och inget görs två gånger.',
    other:
      'Utfallet av {number} händelser har varit okänt i mer än tio minuter. Kassa fortsätter att fråga inlösaren; inget går förlorat och inget görs två gånger.',
  },
  expiring: {
    one: '{number} reservation går ut inom {days} dagar: {link}.',
    other: '{number} reservationer går ut inom {days} dagar: {link}.',
  },
  expiringLink: 'debitera eller annullera det som är kvar',
  failing: {
    one: '{number} webhook misslyckas just nu; händelser försöks igen i tre dagar.',
    other: '{number} webhookar misslyckas just nu; händelser försöks igen i tre dagar.',
  },
  disabled: {
    one: '{number} webhook är avstängd på grund av fel.',
    other: '{number} webhookar är avstängda på grund av fel.',
  },
  differences: {
    one: '{number} skillnad mellan er bokföring och den hos {acquirer}, hittad {time}. Titta på den och fråga inlösaren vad som finns där; {command} listar allt.',
    other:
      '{number} skillnader mellan er bokföring och den hos {acquirer}, hittade {time}. Titta på betalningarna och fråga inlösaren vad som finns där; {command} listar allt.',
  },
  nothing: 'Inget kräver åtgärd.',
  attention: 'Kräver åtgärd',
  charged: 'Debiterat',
  refunded: 'Återbetalat',
  net: 'Netto',
  accepted: 'Godkända',
  averageOrder: 'Snittorder',
  charges: { one: '{count} debitering', other: '{count} debiteringar' },
  refunds: { one: '{count} återbetalning', other: '{count} återbetalningar' },
  netHint: 'debiterat minus återbetalat',
  tries: '{accepted} av {tried} betalningsförsök',
  averageHint: 'av det som reserverats',
  byDay: 'Per dag',
  chart: 'Debiterat och återbetalat i {currency} för var och en av {days} dagar; tabellen visar samma sak.',
  bar: '{day}: {charged} debiterat, {refunded} återbetalat',
  chargedKey: 'debiterat',
  refundedKey: 'återbetalat',
  showFigures: 'Visa siffrorna',
  none: 'Inget debiterades eller återbetalades i {currency} under de här {days} dagarna',
  noneReserved: 'Det reserverade väntar på att debiteras.',
  showReserved: 'Visa det reserverade',
  noneYet:
    'Varje dag får en stapel så snart en betalning debiteras: här för hand, genom API:et eller direkt när konsumenten betalar.',
  longer: 'Titta på {days} dagar',
  day: 'Dag (UTC)',
  other: 'Annat',
  more: { one: 'och {count} till', other: 'och {count} till' },
  currency: 'Valuta',
  period: 'Period',
  days: { one: '{count} dag', other: '{count} dagar' },
  behind: 'Mycket är nytt: en del av de senaste minuterna finns inte med i siffrorna än.',
  methods: 'Betalningssätt',
  declines: 'Orsaker till nekade',
  noMethods: 'Inget debiterades under den här tiden.',
  noDeclines: 'Inget nekades under den här tiden.',
  foot: 'Dagar räknas i UTC. En händelse räknas till den dag då den begärdes.',
};
