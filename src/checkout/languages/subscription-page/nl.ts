// The page of a subscription in Dutch.
import type { SubscriptionPageTexts } from './texts.ts';

export const nl: SubscriptionPageTexts = {
  title: 'Uw abonnement bij {shop}',
  active: 'Actief',
  needsCard: 'Uw bank accepteert deze kaart er niet meer voor. De winkel moet u om een andere vragen.',
  agreedHeading: 'Waar u mee akkoord ging',
  howOften: 'Hoe vaak',
  amount: 'Bedrag',
  until: 'Tot en met',
  endedOn: 'Beëindigd op',
  card: 'Kaart',
  agreedOn: 'Akkoord op',
  nextCharge: 'Vroegste volgende afschrijving',
  chargesHeading: 'Afschrijvingen tot nu toe',
  noCharges: 'Er is niets afgeschreven sinds u akkoord ging.',
  paid: 'Betaald bij het afrekenen',
  reserved: 'Gereserveerd bij het afrekenen',
  charged: 'Afgeschreven',
  pending: 'Bezig',
  declined: 'Geweigerd',
  refunded: '{amount} terugbetaald',
  older: 'Oudere afschrijvingen worden niet getoond.',
  end: 'Abonnement beëindigen',
  confirm: {
    title: 'Uw abonnement bij {shop} beëindigen?',
    text: '{shop} kan uw kaart er daarna niet meer voor belasten. Een afschrijving die bezig is, wordt nog afgemaakt. U kunt dit niet ongedaan maken; u zou opnieuw een abonnement moeten nemen.',
  },
  keep: 'Behouden',
  ended: {
    title: 'Uw abonnement is beëindigd',
    text: 'U hebt het op {date} beëindigd. {shop} kan uw kaart er niet meer voor belasten.',
  },
  endedByShop: {
    title: 'Uw abonnement is beëindigd',
    text: '{shop} heeft het op {date} beëindigd en kan uw kaart er niet meer voor belasten.',
  },
  expired: {
    title: 'Uw abonnement is afgelopen',
    text: 'Het liep tot en met {date}. {shop} kan uw kaart er niet meer voor belasten.',
  },
  see: 'Uw abonnement bekijken of beëindigen',
  notFound: {
    title: 'We kunnen dit abonnement niet vinden',
    text: 'Misschien is de link onvolledig. Open hem precies zoals u hem kreeg, of vraag de winkel er nog eens om.',
  },
  tooMany: {
    title: 'Te veel bezoeken tegelijk',
    text: 'Wacht een paar seconden en probeer het opnieuw.',
  },
};
