// The overview, in German.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const de: TextsOf<typeof en> = {
  orMore: '{count} oder mehr',
  longPending: {
    one: '{number} Ergebnis ist seit mehr als zehn Minuten unbekannt. Kassa fragt weiter beim Acquirer nach; nichts geht verloren und nichts geschieht doppelt.',
    other:
      '{number} Ergebnisse sind seit mehr als zehn Minuten unbekannt. Kassa fragt weiter beim Acquirer nach; nichts geht verloren und nichts geschieht doppelt.',
  },
  expiring: {
    one: '{number} Reservierung endet innerhalb von {days} Tagen: {link}.',
    other: '{number} Reservierungen enden innerhalb von {days} Tagen: {link}.',
  },
  expiringLink: 'den Rest einziehen oder stornieren',
  failing: {
    one: '{number} Webhook schlägt derzeit fehl; Ereignisse werden drei Tage lang erneut versucht.',
    other: '{number} Webhooks schlagen derzeit fehl; Ereignisse werden drei Tage lang erneut versucht.',
  },
  disabled: {
    one: '{number} Webhook ist wegen Fehlern abgeschaltet.',
    other: '{number} Webhooks sind wegen Fehlern abgeschaltet.',
  },
  differences: {
    one: '{number} Abweichung zwischen Ihren Büchern und denen von {acquirer}, gefunden am {time}. Sehen Sie sie sich an und fragen Sie den Acquirer, was er dazu hat; {command} listet alles auf.',
    other:
      '{number} Abweichungen zwischen Ihren Büchern und denen von {acquirer}, gefunden am {time}. Sehen Sie sich diese Zahlungen an und fragen Sie den Acquirer, was er dazu hat; {command} listet alles auf.',
  },
  nothing: 'Nichts braucht Aufmerksamkeit.',
  attention: 'Braucht Aufmerksamkeit',
  charged: 'Eingezogen',
  refunded: 'Erstattet',
  net: 'Netto',
  accepted: 'Genehmigt',
  averageOrder: 'Bestellung im Schnitt',
  charges: { one: '{count} Einzug', other: '{count} Einzüge' },
  refunds: { one: '{count} Erstattung', other: '{count} Erstattungen' },
  netHint: 'eingezogen abzüglich erstattet',
  tries: '{accepted} von {tried} Zahlungsversuchen',
  averageHint: 'des Reservierten',
  byDay: 'Nach Tagen',
  chart: 'Eingezogen und erstattet in {currency} an jedem von {days} Tagen; die Tabelle zeigt dasselbe.',
  bar: '{day}: {charged} eingezogen, {refunded} erstattet',
  chargedKey: 'eingezogen',
  refundedKey: 'erstattet',
  showFigures: 'Zahlen anzeigen',
  none: 'In diesen {days} Tagen wurde in {currency} nichts eingezogen oder erstattet',
  noneReserved: 'Reserviertes wartet auf den Einzug.',
  showReserved: 'Reserviertes anzeigen',
  noneYet:
    'Jeder Tag bekommt einen Balken, sobald eine Zahlung eingezogen wird: hier von Hand, über die API oder sofort, wenn der Kunde zahlt.',
  longer: '{days} Tage ansehen',
  day: 'Tag (UTC)',
  other: 'Sonstiges',
  more: { one: 'und {count} weiterer', other: 'und {count} weitere' },
  currency: 'Währung',
  period: 'Zeitraum',
  days: { one: '{count} Tag', other: '{count} Tage' },
  behind: 'Sehr viel ist neu: Ein Teil der letzten Minuten fehlt noch in diesen Zahlen.',
  methods: 'Zahlungsarten',
  declines: 'Gründe der Ablehnung',
  noMethods: 'In dieser Zeit wurde nichts eingezogen.',
  noDeclines: 'In dieser Zeit wurde nichts abgelehnt.',
  foot: 'Tage gelten nach UTC. Eine Buchung zählt zu dem Tag, an dem sie angefordert wurde.',
};
