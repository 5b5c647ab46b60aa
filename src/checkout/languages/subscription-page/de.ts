// The page of a subscription in German.
import type { SubscriptionPageTexts } from './texts.ts';

export const de: SubscriptionPageTexts = {
  title: 'Dein Abonnement bei {shop}',
  active: 'Aktiv',
  needsCard: 'Deine Bank nimmt diese Karte dafür nicht mehr an. Der Shop muss dich um eine andere bitten.',
  agreedHeading: 'Dem hast du zugestimmt',
  howOften: 'Wie oft',
  amount: 'Betrag',
  until: 'Bis',
  card: 'Karte',
  agreedOn: 'Zugestimmt am',
  nextCharge: 'Nächste Abbuchung frühestens',
  chargesHeading: 'Bisherige Abbuchungen',
  noCharges: 'Seit deiner Zustimmung wurde nichts abgebucht.',
  charged: 'Abgebucht',
  pending: 'In Arbeit',
  declined: 'Abgelehnt',
  refunded: '{amount} erstattet',
  older: 'Ältere Abbuchungen werden nicht gezeigt.',
  end: 'Abonnement beenden',
  confirm: {
    title: 'Dein Abonnement bei {shop} beenden?',
    text: '{shop} kann deine Karte danach nicht mehr dafür belasten. Eine Abbuchung, die gerade läuft, wird noch ausgeführt. Das lässt sich nicht rückgängig machen; du müsstest neu abonnieren.',
  },
  keep: 'Behalten',
  ended: {
    title: 'Dein Abonnement ist beendet',
    text: 'Du hast es am {date} beendet. {shop} kann deine Karte nicht mehr dafür belasten.',
  },
  endedByShop: {
    title: 'Dein Abonnement ist beendet',
    text: '{shop} hat es am {date} beendet und kann deine Karte nicht mehr dafür belasten.',
  },
  expired: {
    title: 'Dein Abonnement ist abgelaufen',
    text: 'Es lief bis {date}. {shop} kann deine Karte nicht mehr dafür belasten.',
  },
  see: 'Dein Abonnement ansehen oder beenden',
  notFound: {
    title: 'Wir finden dieses Abonnement nicht',
    text: 'Vielleicht ist der Link unvollständig. Öffne ihn genau so, wie du ihn bekommen hast, oder bitte den Shop noch einmal darum.',
  },
};
