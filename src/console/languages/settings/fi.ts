// The settings of a merchant, in Finnish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const fi: TextsOf<typeof en> = {
  merchant: 'Kauppias',
  mode: 'Tila',
  live: 'tuotanto',
  test: 'testi',
  forGood: 'Ei voi muuttaa.',
  name: 'Nimi',
  dialect: 'Murre',
  strictItems: 'Tarkat tuoterivit',
  reserveOnDemand: 'Varaa tarvittaessa',
  refundProof: 'Vahvistusta vaativat hyvitykset',
  refundProofLabel: 'Näitä summia suuremmat hyvitykset vaativat vahvistuksen',
  colour: 'Väri',
  acquirer: 'Tilittäjä',
  means: {
    name: 'Näytetään kuluttajille kassalla ja laskuissa.',
    dialect: 'Miten API kirjoittaa vastauksensa: spec, tai nexi toiselle palvelulle tehtyjä ohjelmia varten.',
    strictItems: 'Veloitukset, hyvitykset ja peruutukset saavat nimetä vain jäljellä olevia tuotteita.',
    reserveOnDemand: 'Maksamattoman maksun veloitus tai peruutus varaa sen ensin. Vain testikauppiaille.',
    colour: 'Kassan painikkeiden väri kuutena heksanumerona. Tyhjä: oletusväri.',
    refundProof:
      'Hyvitys, joka nostaa maksun hyvitykset valuutan summan yli, kysyy tekijää pääsyavaimella tai koodilla; valuutassa, jolla ei ole summaa, jokainen hyvitys kysyy. Tyhjä: mikään ei kysy.',
    acquirer: 'Missä uudet varaukset tehdään. Kassan ylläpitäjä asettaa sen: kassa merchant update.',
    seller: 'Laskuissa; asetetaan komennolla kassa merchant update.',
  },
  seller: 'Myyjä: {field}',
  yes: 'kyllä',
  no: 'ei',
  change: 'Muuta',
  badName: 'Anna nimi.',
  badDialect: 'Valitse murre.',
  badColour: 'Värin on oltava kuusi heksanumeroa, esimerkiksi #0b6e4f.',
  badRefundProof: 'Kirjoita summat valuuttoineen, yksi kutakin kohti: 5000 SEK, 500 EUR.',
  conflict: 'Nämä eivät sovi yhteen: vain simulaattorin testikauppias varaa tarvittaessa.',
};
