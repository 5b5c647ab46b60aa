// The settings of a merchant, in Dutch.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const nl: TextsOf<typeof en> = {
  merchant: 'Winkelier',
  mode: 'Modus',
  live: 'live',
  test: 'test',
  forGood: 'Ligt vast.',
  name: 'Naam',
  dialect: 'Dialect',
  secondFactor: 'Tweede factor vereist',
  strictItems: 'Strikte artikelen',
  reserveOnDemand: 'Reserveren op verzoek',
  refundProof: 'Terugbetalingen die bewijs vragen',
  refundProofLabel: 'Terugbetalingen boven deze bedragen vragen bewijs',
  colour: 'Kleur',
  pickColour: 'Kies een kleur',
  acquirer: 'Acquirer',
  means: {
    name: 'Wordt aan consumenten getoond in de checkout en op facturen.',
    dialect:
      'Hoe de API zijn antwoorden schrijft: spec, of nexi voor programma’s die voor een andere dienst zijn gemaakt.',
    secondFactor:
      'Men logt in met een passkey, met wachtwoord en code of via het bedrijf. Een eenmalige link leidt alleen naar het toevoegen van een passkey of app.',
    strictItems: 'Afschrijvingen, terugbetalingen en annuleringen mogen alleen artikelen noemen die er nog zijn.',
    reserveOnDemand: 'Een onbetaalde betaling afschrijven of annuleren reserveert haar eerst. Alleen testwinkeliers.',
    colour: 'Van de knoppen in de checkout, als zes hexcijfers. Leeg: het groen van Kassa.',
    refundProof:
      'Een terugbetaling die het terugbetaalde van een betaling boven het bedrag van haar valuta brengt, vraagt met een passkey of code wie het is; in een valuta zonder bedrag doet elke dat. Leeg: geen enkele.',
    acquirer: 'Waar nieuwe reserveringen worden gedaan. Ingesteld door wie deze Kassa beheert: kassa merchant update.',
    seller: 'Op facturen; ingesteld met kassa merchant update.',
  },
  seller: 'Verkoper: {field}',
  sellerFields: {
    name: 'naam',
    address: 'adres',
    address2: 'tweede regel van het adres',
    postalCode: 'postcode',
    city: 'plaats',
    country: 'land',
    vatNumber: 'btw-nummer',
    companyNumber: 'KvK-nummer',
    iban: 'IBAN',
    bic: 'BIC',
    bankgiro: 'Bankgiro',
    plusgiro: 'Plusgiro',
    account: 'rekening',
    creditorNumber: 'crediteurnummer',
  },
  yes: 'ja',
  no: 'nee',
  badName: 'Geef een naam op.',
  badDialect: 'Kies een dialect.',
  badColour: 'De kleur moet uit zes hexcijfers bestaan, zoals #0b6e4f.',
  badRefundProof: 'Schrijf bedragen met hun valuta, één per valuta: 5000 SEK, 500 EUR.',
  conflict: 'Dit gaat niet samen: alleen een testwinkelier van de simulator reserveert op verzoek.',
};
