// The page of a subscription in Swedish.
import type { SubscriptionPageTexts } from './texts.ts';

export const sv: SubscriptionPageTexts = {
  title: 'Din prenumeration hos {shop}',
  active: 'Aktiv',
  needsCard: 'Din bank godtar inte längre det här kortet för den. Butiken måste be dig om ett annat.',
  agreedHeading: 'Det här godkände du',
  howOften: 'Hur ofta',
  amount: 'Belopp',
  until: 'Till och med',
  endedOn: 'Avslutad den',
  card: 'Kort',
  agreedOn: 'Godkänt den',
  nextCharge: 'Tidigaste nästa dragning',
  chargesHeading: 'Dragningar hittills',
  noCharges: 'Inget har dragits sedan du godkände.',
  paid: 'Betald i kassan',
  reserved: 'Reserverad i kassan',
  charged: 'Dragen',
  pending: 'Pågår',
  declined: 'Nekad',
  refunded: '{amount} återbetalt',
  older: 'Äldre dragningar visas inte.',
  end: 'Avsluta prenumerationen',
  confirm: {
    title: 'Avsluta din prenumeration hos {shop}?',
    text: '{shop} kan inte dra pengar från kortet för den efter det. En dragning som pågår slutförs. Det går inte att ångra; då måste du prenumerera på nytt.',
  },
  keep: 'Behåll den',
  ended: {
    title: 'Din prenumeration är avslutad',
    text: 'Du avslutade prenumerationen den {date}. {shop} kan inte längre dra pengar från kortet för den.',
  },
  endedByShop: {
    title: 'Din prenumeration är avslutad',
    text: '{shop} avslutade prenumerationen den {date} och kan inte längre dra pengar från kortet för den.',
  },
  expired: {
    title: 'Din prenumeration har gått ut',
    text: 'Den gällde till och med {date}. {shop} kan inte längre dra pengar från kortet för den.',
  },
  see: 'Se eller avsluta din prenumeration',
  notFound: {
    title: 'Vi hittar inte prenumerationen',
    text: 'Länken kan vara ofullständig. Öppna den precis som du fick den, eller be butiken om den igen.',
  },
  tooMany: {
    title: 'För många besök på en gång',
    text: 'Vänta några sekunder och försök igen.',
  },
};
