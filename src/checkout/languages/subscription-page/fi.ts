// The page of a subscription in Finnish.
import type { SubscriptionPageTexts } from './texts.ts';

export const fi: SubscriptionPageTexts = {
  title: 'Tilauksesi: {shop}',
  active: 'Voimassa',
  needsCard: 'Pankkisi ei enää hyväksy tätä korttia tilaukseen. Kaupan on pyydettävä sinulta toinen kortti.',
  agreedHeading: 'Mitä hyväksyit',
  howOften: 'Kuinka usein',
  amount: 'Summa',
  until: 'Päättyy',
  endedOn: 'Päättynyt',
  card: 'Kortti',
  agreedOn: 'Hyväksytty',
  nextCharge: 'Aikaisin seuraava veloitus',
  chargesHeading: 'Veloitukset tähän mennessä',
  noCharges: 'Mitään ei ole veloitettu hyväksymisesi jälkeen.',
  paid: 'Maksettu kassalla',
  reserved: 'Varattu kassalla',
  charged: 'Veloitettu',
  pending: 'Käsitellään',
  declined: 'Hylätty',
  refunded: '{amount} palautettu',
  older: 'Vanhempia veloituksia ei näytetä.',
  end: 'Lopeta tilaus',
  confirm: {
    title: 'Lopetetaanko tilauksesi: {shop}?',
    text: '{shop} ei voi enää sen jälkeen veloittaa korttiasi tilauksesta. Kesken oleva veloitus viedään loppuun. Tätä ei voi perua; silloin sinun on tilattava uudelleen.',
  },
  keep: 'Jatka tilausta',
  ended: {
    title: 'Tilauksesi on päättynyt',
    text: 'Lopetit sen {date}. {shop} ei voi enää veloittaa korttiasi siitä.',
  },
  endedByShop: {
    title: 'Tilauksesi on päättynyt',
    text: '{shop} lopetti sen {date} eikä voi enää veloittaa korttiasi siitä.',
  },
  expired: {
    title: 'Tilauksesi on päättynyt',
    text: 'Se oli voimassa {date} saakka. {shop} ei voi enää veloittaa korttiasi siitä.',
  },
  see: 'Katso tai lopeta tilauksesi',
  notFound: {
    title: 'Tilausta ei löydy',
    text: 'Linkki voi olla vajaa. Avaa se täsmälleen sellaisena kuin sait sen, tai pyydä se kaupalta uudelleen.',
  },
  tooMany: {
    title: 'Liian monta käyntiä kerralla',
    text: 'Odota muutama sekunti ja yritä uudelleen.',
  },
};
