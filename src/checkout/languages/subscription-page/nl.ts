// The page of a subscription in Dutch.
import type { SubscriptionPageTexts } from './texts.ts';

export const nl: SubscriptionPageTexts = {
  title: 'Je abonnement bij {shop}',
  active: 'Actief',
  needsCard: 'Je bank accepteert deze kaart er niet meer voor. De winkel moet je om een andere vragen.',
  agreedHeading: 'Waar je mee akkoord ging',
  howOften: 'Hoe vaak',
  amount: 'Bedrag',
  until: 'Tot en met',
  card: 'Kaart',
  agreedOn: 'Akkoord op',
  nextCharge: 'Vroegste volgende afschrijving',
  chargesHeading: 'Afschrijvingen tot nu toe',
  noCharges: 'Er is niets afgeschreven sinds je akkoord ging.',
  charged: 'Afgeschreven',
  pending: 'Bezig',
  declined: 'Geweigerd',
  refunded: '{amount} terugbetaald',
  older: 'Oudere afschrijvingen worden niet getoond.',
  end: 'Abonnement beëindigen',
  confirm: {
    title: 'Je abonnement bij {shop} beëindigen?',
    text: '{shop} kan je kaart er daarna niet meer voor belasten. Een afschrijving die bezig is, wordt nog afgemaakt. Je kunt dit niet ongedaan maken; je zou opnieuw een abonnement moeten nemen.',
  },
  keep: 'Behouden',
  ended: {
    title: 'Je abonnement is beëindigd',
    text: 'Je hebt het op {date} beëindigd. {shop} kan je kaart er niet meer voor belasten.',
  },
  endedByShop: {
    title: 'Je abonnement is beëindigd',
    text: '{shop} heeft het op {date} beëindigd en kan je kaart er niet meer voor belasten.',
  },
  expired: {
    title: 'Je abonnement is afgelopen',
    text: 'Het liep tot en met {date}. {shop} kan je kaart er niet meer voor belasten.',
  },
  see: 'Je abonnement bekijken of beëindigen',
  notFound: {
    title: 'We kunnen dit abonnement niet vinden',
    text: 'Misschien is de link onvolledig. Open hem precies zoals je hem kreeg, of vraag de winkel er nog eens om.',
  },
};
