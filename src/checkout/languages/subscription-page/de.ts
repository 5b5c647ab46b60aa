// The page of a subscription in German.
import type { SubscriptionPageTexts } from './texts.ts';

export const de: SubscriptionPageTexts = {
  title: 'Ihr Abonnement bei {shop}',
  active: 'Aktiv',
  needsCard: 'Ihre Bank nimmt diese Karte dafür nicht mehr an. Der Shop muss Sie um eine andere bitten.',
  agreedHeading: 'Dem haben Sie zugestimmt',
  howOften: 'Wie oft',
  amount: 'Betrag',
  until: 'Bis',
  endedOn: 'Beendet am',
  card: 'Karte',
  agreedOn: 'Zugestimmt am',
  nextCharge: 'Nächste Abbuchung frühestens',
  chargesHeading: 'Bisherige Abbuchungen',
  noCharges: 'Seit Ihrer Zustimmung wurde nichts abgebucht.',
  paid: 'An der Kasse bezahlt',
  reserved: 'An der Kasse reserviert',
  charged: 'Abgebucht',
  pending: 'In Arbeit',
  declined: 'Abgelehnt',
  refunded: '{amount} erstattet',
  older: 'Ältere Abbuchungen werden nicht gezeigt.',
  end: 'Abonnement beenden',
  confirm: {
    title: 'Ihr Abonnement bei {shop} beenden?',
    text: '{shop} kann Ihre Karte danach nicht mehr dafür belasten. Eine Abbuchung, die gerade läuft, wird noch ausgeführt. Das lässt sich nicht rückgängig machen; Sie müssten neu abonnieren.',
  },
  keep: 'Behalten',
  ended: {
    title: 'Ihr Abonnement ist beendet',
    text: 'Sie haben es am {date} beendet. {shop} kann Ihre Karte nicht mehr dafür belasten.',
  },
  endedByShop: {
    title: 'Ihr Abonnement ist beendet',
    text: '{shop} hat es am {date} beendet und kann Ihre Karte nicht mehr dafür belasten.',
  },
  expired: {
    title: 'Ihr Abonnement ist abgelaufen',
    text: 'Es lief bis {date}. {shop} kann Ihre Karte nicht mehr dafür belasten.',
  },
  see: 'Ihr Abonnement ansehen oder beenden',
  notFound: {
    title: 'Wir finden dieses Abonnement nicht',
    text: 'Vielleicht ist der Link unvollständig. Öffnen Sie ihn genau so, wie Sie ihn bekommen haben, oder bitten Sie den Shop noch einmal darum.',
  },
  tooMany: {
    title: 'Zu viele Aufrufe auf einmal',
    text: 'Bitte warten Sie ein paar Sekunden und versuchen Sie es noch einmal.',
  },
};
