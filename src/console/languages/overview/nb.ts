// The overview, in Norwegian.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const nb: TextsOf<typeof en> = {
  orMore: '{count} eller flere',
  longPending: {
    one: 'Utfallet av {number} bevegelse har vært ukjent i mer enn ti minutter. Kassa fortsetter å spørre innløseren; ingenting går tapt, og ingenting gjøres to ganger.',
    other:
      'Utfallet av {number} bevegelser har vært ukjent i mer enn ti minutter. Kassa fortsetter å spørre innløseren; ingenting går tapt, og ingenting gjøres to ganger.',
  },
  expiring: {
    one: '{number} reservasjon utløper innen {days} dager: {link}.',
    other: '{number} reservasjoner utløper innen {days} dager: {link}.',
  },
  expiringLink: 'belast eller kanseller det som er igjen',
  failing: {
    one: '{number} webhook feiler akkurat nå; hendelser prøves på nytt i tre dager.',
    other: '{number} webhooker feiler akkurat nå; hendelser prøves på nytt i tre dager.',
  },
  disabled: {
    one: '{number} webhook er slått av på grunn av feil.',
    other: '{number} webhooker er slått av på grunn av feil.',
  },
  differences: {
    one: '{number} forskjell mellom deres bøker og dem hos {acquirer}, funnet {time}. Se på den og spør innløseren hva som finnes der; {command} lister opp alt.',
    other:
      '{number} forskjeller mellom deres bøker og dem hos {acquirer}, funnet {time}. Se på betalingene og spør innløseren hva som finnes der; {command} lister opp alt.',
  },
  nothing: 'Ingenting krever oppfølging.',
  attention: 'Krever oppfølging',
  charged: 'Belastet',
  refunded: 'Refundert',
  net: 'Netto',
  accepted: 'Godkjent',
  averageOrder: 'Snittordre',
  charges: { one: '{count} belastning', other: '{count} belastninger' },
  refunds: { one: '{count} refusjon', other: '{count} refusjoner' },
  netHint: 'belastet minus refundert',
  tries: '{accepted} av {tried} betalingsforsøk',
  averageHint: 'av det som ble reservert',
  byDay: 'Per dag',
  chart: 'Belastet og refundert i {currency} for hver av {days} dager; tabellen viser det samme.',
  bar: '{day}: {charged} belastet, {refunded} refundert',
  chargedKey: 'belastet',
  refundedKey: 'refundert',
  showFigures: 'Vis tallene',
  none: 'Ingenting ble belastet eller refundert i {currency} i disse {days} dagene',
  noneReserved: 'Det reserverte venter på å bli belastet.',
  showReserved: 'Vis det reserverte',
  noneYet:
    'Hver dag får en søyle så snart en betaling belastes: her for hånd, gjennom API-et, eller straks når forbrukeren betaler.',
  longer: 'Se på {days} dager',
  day: 'Dag (UTC)',
  other: 'Annet',
  more: { one: 'og {count} til', other: 'og {count} til' },
  currency: 'Valuta',
  period: 'Periode',
  days: { one: '{count} dag', other: '{count} dager' },
  behind: 'Mye er nytt: noe av de siste minuttene er ikke med i tallene ennå.',
  methods: 'Betalingsmåter',
  declines: 'Årsaker til avslag',
  noMethods: 'Ingenting ble belastet i denne tiden.',
  noDeclines: 'Ingenting ble avvist i denne tiden.',
  foot: 'Dager regnes i UTC. En bevegelse teller for dagen den ble bedt om.',
};
