// The overview, in Dutch.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const nl: TextsOf<typeof en> = {
  orMore: '{count} of meer',
  longPending: {
    one: '{number} uitkomst is al meer dan tien minuten onbekend. Kassa blijft de acquirer vragen; er gaat niets verloren en niets gebeurt dubbel.',
    other:
      '{number} uitkomsten zijn al meer dan tien minuten onbekend. Kassa blijft de acquirer vragen; er gaat niets verloren en niets gebeurt dubbel.',
  },
  expiring: {
    one: '{number} reservering eindigt binnen {days} dagen: {link}.',
    other: '{number} reserveringen eindigen binnen {days} dagen: {link}.',
  },
  expiringLink: 'schrijf af of annuleer wat over is',
  failing: {
    one: '{number} webhook mislukt op dit moment; gebeurtenissen worden drie dagen lang opnieuw geprobeerd.',
    other: '{number} webhooks mislukken op dit moment; gebeurtenissen worden drie dagen lang opnieuw geprobeerd.',
  },
  disabled: {
    one: '{number} webhook is uitgeschakeld wegens fouten.',
    other: '{number} webhooks zijn uitgeschakeld wegens fouten.',
  },
  differences: {
    one: '{number} verschil tussen uw boeken en die van {acquirer}, gevonden op {time}. Bekijk het en vraag de acquirer wat die ervan heeft; {command} toont alles.',
    other:
      '{number} verschillen tussen uw boeken en die van {acquirer}, gevonden op {time}. Bekijk deze betalingen en vraag de acquirer wat die ervan heeft; {command} toont alles.',
  },
  nothing: 'Niets vraagt aandacht.',
  attention: 'Vraagt aandacht',
  charged: 'Afgeschreven',
  refunded: 'Terugbetaald',
  net: 'Netto',
  accepted: 'Geaccepteerd',
  averageOrder: 'Gemiddelde bestelling',
  charges: { one: '{count} afschrijving', other: '{count} afschrijvingen' },
  refunds: { one: '{count} terugbetaling', other: '{count} terugbetalingen' },
  netHint: 'afgeschreven min terugbetaald',
  tries: '{accepted} van {tried} betaalpogingen',
  averageHint: 'van wat is gereserveerd',
  byDay: 'Per dag',
  chart: 'Afgeschreven en terugbetaald in {currency} op elk van {days} dagen; de tabel zegt hetzelfde.',
  bar: '{day}: {charged} afgeschreven, {refunded} terugbetaald',
  chargedKey: 'afgeschreven',
  refundedKey: 'terugbetaald',
  showFigures: 'Cijfers tonen',
  none: 'In deze {days} dagen is niets afgeschreven of terugbetaald in {currency}',
  noneReserved: 'Wat gereserveerd is, wacht op afschrijving.',
  showReserved: 'Toon wat gereserveerd is',
  noneYet:
    'Elke dag krijgt een balk zodra een betaling wordt afgeschreven: hier met de hand, via de API, of meteen wanneer de consument betaalt.',
  longer: 'Bekijk {days} dagen',
  day: 'Dag (UTC)',
  other: 'Overig',
  more: { one: 'en nog {count}', other: 'en nog {count}' },
  currency: 'Valuta',
  period: 'Periode',
  days: { one: '{count} dag', other: '{count} dagen' },
  behind: 'Er is heel veel nieuw: een deel van de laatste minuten zit nog niet in deze cijfers.',
  methods: 'Hoe er is betaald',
  declines: 'Waarom er is geweigerd',
  noMethods: 'Er is in deze tijd niets afgeschreven.',
  noDeclines: 'Er is in deze tijd niets geweigerd.',
  foot: 'Dagen zijn die van UTC. Een beweging telt voor de dag waarop erom is gevraagd.',
};
