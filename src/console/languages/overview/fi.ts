// The overview, in Finnish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const fi: TextsOf<typeof en> = {
  orMore: '{count} tai enemmän',
  longPending: {
    one: '{number} tapahtuman tulos on ollut yli kymmenen minuuttia tuntematon. Kassa kysyy sitä edelleen tilittäjältä; mitään ei katoa eikä mitään tehdä kahdesti.',
    other:
      '{number} tapahtuman tulos on ollut yli kymmenen minuuttia tuntematon. Kassa kysyy sitä edelleen tilittäjältä; mitään ei katoa eikä mitään tehdä kahdesti.',
  },
  expiring: {
    one: '{number} varaus päättyy {days} päivän kuluessa: {link}.',
    other: '{number} varausta päättyy {days} päivän kuluessa: {link}.',
  },
  expiringLink: 'veloita tai peru jäljellä oleva',
  failing: {
    one: '{number} webhook epäonnistuu juuri nyt; tapahtumia yritetään uudelleen kolmen päivän ajan.',
    other: '{number} webhookia epäonnistuu juuri nyt; tapahtumia yritetään uudelleen kolmen päivän ajan.',
  },
  disabled: {
    one: '{number} webhook on poistettu käytöstä virheiden vuoksi.',
    other: '{number} webhookia on poistettu käytöstä virheiden vuoksi.',
  },
  differences: {
    one: '{number} ero kirjanpitonne ja tilittäjän {acquirer} välillä, havaittu {time}. Katso maksua ja kysy tilittäjältä, mitä sillä on; {command} luettelee kaiken.',
    other:
      '{number} eroa kirjanpitonne ja tilittäjän {acquirer} välillä, havaittu {time}. Katso maksuja ja kysy tilittäjältä, mitä sillä on; {command} luettelee kaiken.',
  },
  nothing: 'Mikään ei vaadi huomiota.',
  attention: 'Vaatii huomiota',
  charged: 'Veloitettu',
  refunded: 'Hyvitetty',
  net: 'Netto',
  accepted: 'Hyväksytty',
  averageOrder: 'Keskiostos',
  charges: { one: '{count} veloitus', other: '{count} veloitusta' },
  refunds: { one: '{count} hyvitys', other: '{count} hyvitystä' },
  netHint: 'veloitettu miinus hyvitetty',
  tries: '{accepted}/{tried} maksuyrityksestä',
  averageHint: 'varatuista tilauksista',
  byDay: 'Päivittäin',
  chart: 'Veloitettu ja hyvitetty, {currency}, {days} päivän ajalta päivittäin; taulukko kertoo saman.',
  bar: '{day}: veloitettu {charged}, hyvitetty {refunded}',
  chargedKey: 'veloitettu',
  refundedKey: 'hyvitetty',
  showFigures: 'Näytä luvut',
  none: 'Näinä {days} päivänä ei veloitettu eikä hyvitetty mitään valuutassa {currency}',
  noneReserved: 'Varatut odottavat veloitusta.',
  showReserved: 'Näytä varatut',
  noneYet:
    'Jokainen päivä saa palkin, kun maksu veloitetaan: täällä käsin, API:n kautta tai heti, kun kuluttaja maksaa.',
  longer: 'Katso {days} päivää',
  day: 'Päivä (UTC)',
  other: 'Muu',
  more: { one: 'ja {count} muu', other: 'ja {count} muuta' },
  currency: 'Valuutta',
  period: 'Jakso',
  days: { one: '{count} päivä', other: '{count} päivää' },
  behind: 'Uutta on hyvin paljon: osa viime minuuteista ei ole vielä luvuissa.',
  methods: 'Maksutavat',
  declines: 'Hylkäysten syyt',
  noMethods: 'Mitään ei veloitettu tänä aikana.',
  noDeclines: 'Mitään ei hylätty tänä aikana.',
  foot: 'Päivät ovat UTC-päiviä. Tapahtuma luetaan päivälle, jona sitä pyydettiin.',
};
