// The page of a subscription in Danish.
import type { SubscriptionPageTexts } from './texts.ts';

export const da: SubscriptionPageTexts = {
  title: 'Dit abonnement hos {shop}',
  active: 'Aktivt',
  needsCard: 'Din bank godtager ikke længere dette kort til det. Butikken skal bede dig om et andet.',
  agreedHeading: 'Det har du accepteret',
  howOften: 'Hvor ofte',
  amount: 'Beløb',
  until: 'Til og med',
  endedOn: 'Afsluttet',
  card: 'Kort',
  agreedOn: 'Accepteret',
  nextCharge: 'Tidligste næste betaling',
  chargesHeading: 'Betalinger indtil nu',
  noCharges: 'Der er ikke trukket noget, siden du accepterede.',
  paid: 'Betalt ved købet',
  reserved: 'Reserveret ved købet',
  charged: 'Trukket',
  pending: 'Undervejs',
  declined: 'Afvist',
  refunded: '{amount} refunderet',
  older: 'Ældre betalinger vises ikke.',
  end: 'Opsig abonnementet',
  confirm: {
    title: 'Opsige dit abonnement hos {shop}?',
    text: '{shop} kan ikke trække på kortet for det bagefter. En betaling, der er undervejs, bliver gennemført. Det kan ikke fortrydes; så skal du abonnere igen.',
  },
  keep: 'Behold det',
  ended: {
    title: 'Dit abonnement er opsagt',
    text: 'Du opsagde det den {date}. {shop} kan ikke længere trække på kortet for det.',
  },
  endedByShop: {
    title: 'Dit abonnement er afsluttet',
    text: '{shop} afsluttede det den {date} og kan ikke længere trække på kortet for det.',
  },
  expired: {
    title: 'Dit abonnement er udløbet',
    text: 'Det gjaldt til og med {date}. {shop} kan ikke længere trække på kortet for det.',
  },
  see: 'Se eller opsig dit abonnement',
  notFound: {
    title: 'Vi kan ikke finde dette abonnement',
    text: 'Linket er måske ikke fuldstændigt. Åbn det præcis, som du fik det, eller bed butikken om det igen.',
  },
  tooMany: {
    title: 'For mange besøg på én gang',
    text: 'Vent nogle sekunder, og prøv igen.',
  },
};
