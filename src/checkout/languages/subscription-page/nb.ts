// The page of a subscription in Norwegian.
import type { SubscriptionPageTexts } from './texts.ts';

export const nb: SubscriptionPageTexts = {
  title: 'Abonnementet ditt hos {shop}',
  active: 'Aktivt',
  needsCard: 'Banken din godtar ikke lenger dette kortet til det. Butikken må be deg om et annet.',
  agreedHeading: 'Dette godtok du',
  howOften: 'Hvor ofte',
  amount: 'Beløp',
  until: 'Til og med',
  endedOn: 'Avsluttet',
  card: 'Kort',
  agreedOn: 'Godtatt',
  nextCharge: 'Tidligste neste belastning',
  chargesHeading: 'Belastninger hittil',
  noCharges: 'Ingenting er trukket siden du godtok det.',
  paid: 'Betalt i kassen',
  reserved: 'Reservert i kassen',
  charged: 'Trukket',
  pending: 'Pågår',
  declined: 'Avvist',
  refunded: '{amount} refundert',
  older: 'Eldre belastninger vises ikke.',
  end: 'Avslutt abonnementet',
  confirm: {
    title: 'Avslutte abonnementet ditt hos {shop}?',
    text: '{shop} kan ikke belaste kortet for det etterpå. En belastning som pågår, fullføres. Det kan ikke angres; da må du abonnere på nytt.',
  },
  keep: 'Behold det',
  ended: {
    title: 'Abonnementet ditt er avsluttet',
    text: 'Du avsluttet det {date}. {shop} kan ikke lenger belaste kortet for det.',
  },
  endedByShop: {
    title: 'Abonnementet ditt er avsluttet',
    text: '{shop} avsluttet det {date} og kan ikke lenger belaste kortet for det.',
  },
  expired: {
    title: 'Abonnementet ditt er utløpt',
    text: 'Det gjaldt til og med {date}. {shop} kan ikke lenger belaste kortet for det.',
  },
  see: 'Se eller avslutt abonnementet ditt',
  notFound: {
    title: 'Vi finner ikke dette abonnementet',
    text: 'Lenken kan være ufullstendig. Åpne den nøyaktig slik du fikk den, eller be butikken om den igjen.',
  },
  tooMany: {
    title: 'For mange besøk på én gang',
    text: 'Vent noen sekunder og prøv igjen.',
  },
};
