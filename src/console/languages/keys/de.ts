// The keys of the API, in German.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const de: TextsOf<typeof en> = {
  lasts: {
    forGood: 'Unbegrenzt, bis zum Widerruf',
    days: { one: '{count} Tag', other: '{count} Tage' },
    year: 'Ein Jahr',
  },
  revoked: 'Widerrufen',
  expired: 'Abgelaufen',
  active: 'Aktiv',
  noName: 'Ohne Namen',
  since: 'seit {time}',
  scopes: 'Rechte',
  scopeNames: { read: 'lesen', money: 'Geld', webhooks: 'Webhooks', audit: 'Protokoll' },
  scopeMeans: {
    read: 'Zahlungen, Abonnements, Auszahlungen, Ereignisse und Webhooks lesen',
    money: 'Zahlungen anlegen und ändern; einziehen, erstatten und stornieren',
    webhooks: 'Webhooks anlegen, ändern und löschen; Ereignisse erneut senden',
    audit: 'das Protokoll lesen: wer was getan hat, mit E-Mail- und Netzadressen',
  },
  all: 'alle',
  lastUsed: 'Zuletzt benutzt',
  notYet: 'Noch nicht',
  expires: 'Läuft ab',
  never: 'Nie',
  revoke: 'Widerrufen',
  revocation:
    'Wer den Schlüssel mit der Endung {hint} benutzt, wird sofort abgewiesen. Das lässt sich nicht rückgängig machen.',
  revokeKey: '{name} widerrufen',
  newKey: 'Neuer Schlüssel',
  name: 'Name',
  nameHint: 'Woran Sie ihn erkennen, etwa das Programm, das ihn benutzt.',
  may: 'Darf',
  lastsLabel: 'Gültig',
  create: 'Schlüssel erstellen',
  secretKeys: 'Geheime Schlüssel',
  secretKey: 'Geheimer Schlüssel',
  checkoutKey: 'Checkout-Schlüssel',
  checkoutKeyHint: 'Kein Geheimnis: Die Seite Ihres Shops zeigt ihn dem Skript des Checkouts.',
  chooseScopes: 'Wählen Sie, wofür der Schlüssel gilt.',
  noMoney: 'Ihre Rolle, {role}, erstellt keine Schlüssel, die Geld bewegen.',
  noAudit: 'Ihre Rolle, {role}, erstellt keine Schlüssel, die das Protokoll lesen.',
  badName: 'Geben Sie ihm einen Namen mit höchstens {longest} Zeichen.',
  badExpiry: 'Er würde enden, bevor er beginnt.',
  tooMany: 'Es gibt schon {most} Schlüssel, mehr können es nicht sein. Widerrufen Sie zuerst einen.',
  noMerchant: 'Diesen Händler gibt es nicht mehr.',
  issued:
    'Ihr neuer Schlüssel. Nur ein Hash davon wird gespeichert: Kopieren Sie ihn jetzt, er wird nur dieses eine Mal gezeigt.',
  noKey: 'Einen solchen Schlüssel gibt es nicht.',
};
