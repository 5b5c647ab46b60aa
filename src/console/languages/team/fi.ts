// The people of a merchant and their roles, in Finnish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const fi: TextsOf<typeof en> = {
  roles: { viewer: 'katselija', operator: 'käsittelijä', developer: 'kehittäjä', admin: 'pääkäyttäjä' },
  means: {
    viewer: 'näkee maksut ja luvut',
    operator: 'lisäksi veloittaa, hyvittää ja peruu sekä lähettää tapahtumia uudelleen',
    developer: 'hallitsee avaimia ja webhookeja, ei siirrä rahaa',
    admin: 'kaikki, myös henkilöt ja asetukset',
  },
  people: 'Henkilöt',
  person: 'Henkilö',
  role: 'Rooli',
  you: 'Sinä',
  several: 'Useita kauppiaita',
  elsewhere: 'Kuuluu myös muille kauppiaille',
  since: 'alkaen {time}',
  roleOf: 'Rooli: {email}',
  newLink: 'Uusi linkki',
  newLinkFor: 'Uusi linkki: {email}',
  locked: 'Salasana lukittu, kunnes {time}',
  unlock: 'Avaa lukitus',
  unlockFor: 'Avaa salasanan lukitus: {email}',
  removal: '{email} ei enää näe eikä voi tehdä mitään kauppiaalle {merchant}.',
  removePerson: 'Poista {email}',
  invite: 'Kutsu',
  inviteSomebody: 'Kutsu joku',
  email: 'Sähköposti',
  withLink:
    'Mitään ei lähetetä. Saat linkin, jolla kirjaudutaan kerran kolmen päivän kuluessa; toimita se turvallisesti.',
  withoutLink: 'Mitään ei lähetetä. Henkilö kirjautuu yrityksen tunnuksella.',
  signInLink: 'Kirjautumislinkki',
  invited: '{email} pääsee tällä linkillä kerran sisään. Se näytetään vain nyt.',
  invitedWithout: '{email} kirjautuu yrityksen tunnuksella.',
  linked: '{email} pääsee tällä linkillä kerran sisään. Se näytetään vain nyt; aiemmat linkit eivät enää toimi.',
  asked:
    '{email} voi jo kirjautua, joten toisen ylläpitäjän on hyväksyttävä linkki. Se toimii vasta sitten, ja se näytetään vain tämän kerran.',
  onlyAdmin:
    'Henkilö voi jo kirjautua, joten kahden ylläpitäjän on oltava samaa mieltä, eikä toista ole. Kassan ylläpitäjä voi tehdä linkin: kassa user link.',
  requests: 'Hyväksyttävät linkit',
  requestsMean:
    'Henkilöille, jotka voivat jo kirjautua. Linkin haltija voi toimia heidän nimissään: kysy heiltä, tarvitsevatko he sitä.',
  askedBy: 'Pyytänyt {by}, {time}',
  approve: 'Hyväksy',
  approveFor: 'Hyväksy linkki: {email}',
  refuse: 'Hylkää',
  refuseFor: 'Hylkää linkki: {email}',
  approved: 'Linkki toimii nyt: {email}. Kerro siitä pyytäjälle.',
  refused: 'Linkki hylättiin: {email}.',
  requestGone: 'Linkki ei enää odota hyväksyntää.',
  ownRequest: 'Toisen ylläpitäjän on hyväksyttävä se: ei pyytäjän, eikä istunnossa, joka alkoi tällaisella linkillä.',
  onlyCompany: 'Sisään pääsee vain yrityksen tunnuksella.',
  lastAdmin:
    'Tämä on viimeinen pääkäyttäjä: tee ensin jostakusta toisesta pääkäyttäjä, muuten kukaan ei voi päästää muita sisään.',
  noPerson: 'Kukaan sen niminen ei enää kuulu tälle kauppiaalle.',
  chooseRole: 'Valitse rooli.',
  badEmail: 'Se ei ole sähköpostiosoite.',
  isThere: 'Osoitteen haltija kuuluu jo tälle kauppiaalle. Vaihda rooli luettelosta.',
  tooMany: 'Henkilöitä on jo {most}, enempää ei voi olla.',
  noMerchant: 'Kauppiasta ei enää ole.',
  isKnown:
    'Osoitteen haltijalla on jo tili täällä, ja kutsu antaisi sen sinulle. Kassan ylläpitäjä voi päästää hänet sisään: kassa user create.',
  belongsElsewhere: 'Usealle kauppiaalle kuuluva saa linkin Kassan ylläpitäjältä.',
};
