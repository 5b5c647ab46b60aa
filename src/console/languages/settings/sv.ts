// The settings of a merchant, in Swedish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const sv: TextsOf<typeof en> = {
  merchant: 'Butik',
  mode: 'Läge',
  live: 'skarpt',
  test: 'test',
  forGood: 'Kan inte ändras.',
  name: 'Namn',
  dialect: 'Dialekt',
  secondFactor: 'Andra faktor krävs',
  strictItems: 'Strikta artiklar',
  reserveOnDemand: 'Reservera vid behov',
  refundProof: 'Återbetalningar som kräver bekräftelse',
  refundProofLabel: 'Återbetalningar över de här beloppen kräver bekräftelse',
  colour: 'Färg',
  pickColour: 'Välj en färg',
  acquirer: 'Inlösare',
  means: {
    name: 'Visas för konsumenter i kassan och på fakturor.',
    dialect: 'Hur API:et stavar sina svar: spec, eller nexi för program som är gjorda för en annan tjänst.',
    secondFactor:
      'Man loggar in med passkey, med lösenord och kod eller via företaget. En engångslänk leder bara till att lägga till passkey eller app.',
    strictItems: 'Debiteringar, återbetalningar och annulleringar får bara ange artiklar som finns kvar.',
    reserveOnDemand:
      'En debitering eller annullering av en obetald betalning reserverar den först. Endast testbutiker.',
    colour: 'På kassans knappar, som sex hexsiffror. Tomt: Kassas gröna.',
    refundProof:
      'En återbetalning som gör att mer än beloppet för valutan återbetalas av en betalning frågar vem det är, med passkey eller kod; i en valuta utan belopp gör varje återbetalning det. Tomt: ingen gör det.',
    acquirer: 'Där nya reservationer görs. Ställs in av den som driver Kassa: kassa merchant update.',
    seller: 'På fakturor; ställs in med kassa merchant update.',
  },
  seller: 'Säljare: {field}',
  sellerFields: {
    name: 'namn',
    address: 'adress',
    address2: 'adressens andra rad',
    postalCode: 'postnummer',
    city: 'ort',
    country: 'land',
    vatNumber: 'momsregistreringsnummer',
    companyNumber: 'organisationsnummer',
    iban: 'IBAN',
    bic: 'BIC',
    bankgiro: 'Bankgiro',
    plusgiro: 'Plusgiro',
    account: 'konto',
    creditorNumber: 'kreditornummer',
  },
  yes: 'ja',
  no: 'nej',
  badName: 'Ange ett namn.',
  badDialect: 'Välj en dialekt.',
  badColour: 'Färgen måste vara sex hexsiffror, till exempel #0b6e4f.',
  badRefundProof: 'Skriv belopp med valuta, ett för varje: 5000 SEK, 500 EUR.',
  conflict: 'De går inte ihop: bara en testbutik hos simulatorn reserverar vid behov.',
};
