// Signing in, by whatever way, and what is told when that cannot be, in Finnish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const fi: TextsOf<typeof en> = {
  signIn: 'Kirjaudu sisään',
  asEmail: 'Käyttäjänä {email}',
  usedUp: 'Linkki on käytetty',
  usedUpText:
    'Linkillä kirjaudutaan kerran, ja se on voimassa muutaman päivän. Pyydä uusi; Kassan ylläpitäjä luo sen komennolla',
  linkWaits: 'Linkkiä ei ole vielä hyväksytty',
  linkWaitsText:
    'Se on henkilölle, joka voi jo kirjautua, joten toisen ylläpitäjän on hyväksyttävä se sivulla Tiimi. Avaa se sen jälkeen uudelleen.',
  anotherWay: 'Kirjaudu toisella tavalla',
  elsewhere: 'Pääsyavaimet toimivat osoitteessa {link}, eivät tässä osoitteessa.',
  code: 'Koodi',
  codeHint: 'Todennussovelluksen kuusi numeroa tai palautuskoodi.',
  email: 'Sähköposti',
  password: 'Salasana',
  withPassword: 'Kirjaudu salasanalla',
  withCompany: 'Kirjaudu yrityksen tunnuksella',
  withPasskey: 'Kirjaudu pääsyavaimella',
  noWay: 'Ei vielä kirjautumistapaa, tai se on kadonnut',
  noWayText: 'Avaa saamasi linkki. Kassan ylläpitäjä luo sellaisen komennolla',
  inTerminal:
    'Avaa linkki ”Console”, joka näkyy päätteessä, jossa Kassa käynnistettiin. Jos se on jo käytetty, käynnistä Kassa uudelleen tai luo uusi komennolla',
  byCommand: 'Kenelläkään ei ole vielä muuta kirjautumistapaa kuin linkki. Luo sellainen komennolla',
  notSignedIn: 'Et ole kirjautunut',
  tryAgain: 'Yritä uudelleen',
  stillYou: 'Oletko se yhä sinä?',
  proofNeeded: 'Tämä toiminto vaatii, että olet vahvistanut henkilöllisyytesi viimeisten kymmenen minuutin aikana.',
  proofNeededAt:
    'Toiminto sivulla ”{page}” vaatii, että olet vahvistanut henkilöllisyytesi viimeisten kymmenen minuutin aikana.',
  doAgain:
    'Mitään ei ole vielä tehty. Palaat sen jälkeen sivulle: tee se uudelleen ja kirjoita uudelleen, mitä olit kirjoittanut.',
  formIsKept: 'Täyttämäsi tiedot säilyvät, ja ne lähetetään heti, kun olet vahvistanut.',
  proved: 'Vahvistettu',
  onItsWay: 'Täyttämiäsi tietoja lähetetään.',
  sendOn: 'Lähetä',
  linkLeadsBack: 'Avaa se tässä selaimessa, niin palaat sinne, missä olit.',
  usePasskey: 'Käytä pääsyavainta',
  useCode: 'Käytä koodia',
  companyAgain: 'Kirjaudu uudelleen yrityksen tunnuksella',
  proofByLink: 'Kirjaudu uudelleen linkillä, se riittää vahvistukseksi. Kassan ylläpitäjä luo sen komennolla',
  problems: {
    locked:
      'Kymmenen yritystä on epäonnistunut. Tämän tilin salasanoja ja koodeja ei hyväksytä ennen kuin {time}. Pääsyavain toimii yhä, ja pääkäyttäjä voi avata tilin lukituksen.',
    wrong: 'Tiedot eivät täsmänneet. Kukin koodi toimii kerran: odota seuraavaa.',
    wait: {
      one: 'Liian monta yritystä. Palaa minuutin kuluttua tai käytä pääsyavainta tai linkkiä.',
      other: 'Liian monta yritystä. Palaa {count} minuutin kuluttua tai käytä pääsyavainta tai linkkiä.',
    },
    busy: 'Moni kirjautuu juuri nyt. Yritä hetken kuluttua uudelleen.',
  },
  company: {
    unverified: 'Yrityksen kirjautuminen ei antanut vahvistettua sähköpostiosoitetta.',
    stale: 'Yrityksen kirjautuminen ei kysynyt, kuka olet. Kirjaudu siellä ulos ja yritä uudelleen.',
    busy: 'Moni kirjautuu juuri nyt. Yritä hetken kuluttua uudelleen.',
    failed: 'Yrityksen kirjautuminen ei onnistunut. Yritä uudelleen; Kassan ylläpitäjä löytää syyn lokista.',
    away: 'Yrityksen kirjautumiseen ei saada yhteyttä. Yritä hetken kuluttua uudelleen.',
    untrusted:
      'Yrityksen kirjautumisen vastausta ei ole allekirjoitettu sen avaimella, joten sitä ei hyväksytty. Yritä uudelleen; Kassan ylläpitäjä löytää syyn lokista.',
    keyless:
      'Yrityksen kirjautumisen avaimia ei saada haettua, joten vastausta ei voi tarkistaa. Yritä hetken kuluttua uudelleen.',
    late: 'Tämä kesti liian kauan tai alkoi toisessa selaimessa. Yritä uudelleen.',
    unknown: 'Täällä ei tunneta osoitetta {email}. Pyydä pääkäyttäjältä kutsu.',
  },
  passkey: {
    wrong: 'Tätä pääsyavainta ei tunneta täällä.',
    notAdded: 'Sitä ei lisätty: se on jo olemassa, aika loppui tai sinulla on jo kaksikymmentä.',
    noSite: 'Pääsyavaimet vaativat nimellisen osoitteen: IP-osoitteelle niitä ei voi luoda.',
    failed: 'Se ei onnistunut. Yritä uudelleen.',
    known: 'Tällä laitteella on jo pääsyavain sinulle.',
    notUsed: 'Pääsyavainta ei käytetty. Yritä uudelleen, kun olet valmis.',
  },
  secondFactor: {
    title: 'Lisää toinen tunnistustapa',
    needed: '{merchant} vaatii toisen tunnistustavan. Lisää pääsyavain, tai salasana ja todennussovellus.',
    nothingElse: 'Siihen asti muita sivuja ei voi avata.',
    hasOne: 'Sinulla on jo pääsyavain tai todennussovellus.',
    useIt: 'Käytä sitä',
    byCompany: 'Pelkkä linkki ei riitä. Kirjaudu yrityksesi kautta.',
    first: 'Lisää ensin toinen tunnistustapa.',
  },
  proofFirst: 'Vahvista ensin, että se olet sinä: edellisestä kerrasta on yli kymmenen minuuttia.',
  signInFirst: 'Kirjaudu ensin sisään.',
};
