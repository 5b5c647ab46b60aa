// The overview, in Danish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const da: TextsOf<typeof en> = {
  orMore: '{count} eller flere',
  longPending: {
    one: 'Udfaldet af {number} bevægelse har været ukendt i mere end ti minutter. Kassa bliver ved med at spørge indløseren; intet går tabt, og intet gøres to gange.',
    other:
      'Udfaldet af {number} bevægelser har været ukendt i mere end ti minutter. Kassa bliver ved med at spørge indløseren; intet går tabt, og intet gøres to gange.',
  },
  expiring: {
    one: '{number} reservation udløber inden for {days} dage: {link}.',
    other: '{number} reservationer udløber inden for {days} dage: {link}.',
  },
  expiringLink: 'træk eller annullér det, der er tilbage',
  failing: {
    one: '{number} webhook fejler lige nu; hændelser forsøges igen i tre dage.',
    other: '{number} webhooks fejler lige nu; hændelser forsøges igen i tre dage.',
  },
  disabled: {
    one: '{number} webhook er slået fra på grund af fejl.',
    other: '{number} webhooks er slået fra på grund af fejl.',
  },
  differences: {
    one: '{number} forskel mellem jeres bøger og dem hos {acquirer}, fundet {time}. Se på den, og spørg indløseren, hvad der findes der; {command} viser det hele.',
    other:
      '{number} forskelle mellem jeres bøger og dem hos {acquirer}, fundet {time}. Se på betalingerne, og spørg indløseren, hvad der findes der; {command} viser det hele.',
  },
  nothing: 'Intet kræver opmærksomhed.',
  attention: 'Kræver opmærksomhed',
  charged: 'Trukket',
  refunded: 'Refunderet',
  net: 'Netto',
  accepted: 'Godkendt',
  averageOrder: 'Gennemsnitsordre',
  charges: { one: '{count} træk', other: '{count} træk' },
  refunds: { one: '{count} refusion', other: '{count} refusioner' },
  netHint: 'trukket minus refunderet',
  tries: '{accepted} af {tried} betalingsforsøg',
  averageHint: 'af det reserverede',
  byDay: 'Pr. dag',
  chart: 'Trukket og refunderet i {currency} på hver af {days} dage; tabellen viser det samme.',
  bar: '{day}: {charged} trukket, {refunded} refunderet',
  chargedKey: 'trukket',
  refundedKey: 'refunderet',
  showFigures: 'Vis tallene',
  none: 'Intet blev trukket eller refunderet i {currency} i disse {days} dage',
  noneReserved: 'Det reserverede venter på at blive trukket.',
  showReserved: 'Vis det reserverede',
  noneYet:
    'Hver dag får en søjle, så snart en betaling trækkes: her i hånden, gennem API’et eller straks, når forbrugeren betaler.',
  longer: 'Se på {days} dage',
  day: 'Dag (UTC)',
  other: 'Andet',
  more: { one: 'og {count} mere', other: 'og {count} mere' },
  currency: 'Valuta',
  period: 'Periode',
  days: { one: '{count} dag', other: '{count} dage' },
  behind: 'Meget er nyt: noget af de seneste minutter er endnu ikke med i tallene.',
  methods: 'Betalingsmåder',
  declines: 'Årsager til afvisning',
  noMethods: 'Der blev ikke trukket noget i denne periode.',
  noDeclines: 'Intet blev afvist i denne periode.',
  foot: 'Dage regnes i UTC. En bevægelse tæller for den dag, den blev bestilt.',
};
