// The settings of a merchant, in German.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const de: TextsOf<typeof en> = {
  merchant: 'Händler',
  mode: 'Modus',
  live: 'live',
  test: 'Test',
  forGood: 'Bleibt so.',
  name: 'Name',
  dialect: 'Dialekt',
  secondFactor: 'Zweiter Faktor nötig',
  strictItems: 'Strenge Positionen',
  reserveOnDemand: 'Bei Bedarf reservieren',
  refundProof: 'Erstattungen mit Nachweis',
  refundProofLabel: 'Erstattungen über diesen Beträgen verlangen einen Nachweis',
  colour: 'Farbe',
  pickColour: 'Farbe wählen',
  acquirer: 'Acquirer',
  means: {
    name: 'Wird Kunden im Checkout und auf Rechnungen gezeigt.',
    dialect:
      'Wie die API ihre Antworten schreibt: spec, oder nexi für Programme, die für einen anderen Dienst gemacht sind.',
    secondFactor:
      'Angemeldet wird mit Passkey, mit Passwort und Code oder über Ihr Unternehmen. Ein einmaliger Link führt nur dazu, Passkey oder App einzurichten.',
    strictItems: 'Einzüge, Erstattungen und Stornierungen dürfen nur Positionen nennen, die noch da sind.',
    reserveOnDemand:
      'Ein Einzug oder eine Stornierung einer unbezahlten Zahlung reserviert sie zuerst. Nur für Testhändler.',
    colour: 'Der Schaltflächen im Checkout, als sechs Hexziffern. Leer: Kassas Grün.',
    refundProof:
      'Eine Erstattung, die das Erstattete einer Zahlung über den Betrag ihrer Währung bringt, fragt per Passkey oder Code, wer es ist; in einer Währung ohne Betrag tut das jede. Leer: keine.',
    acquirer: 'Wo neue Reservierungen entstehen. Der Betreiber dieses Kassa legt ihn fest: kassa merchant update.',
    seller: 'Auf Rechnungen; festgelegt mit kassa merchant update.',
  },
  seller: 'Verkäufer: {field}',
  sellerFields: {
    name: 'Name',
    address: 'Adresse',
    address2: 'zweite Zeile der Adresse',
    postalCode: 'Postleitzahl',
    city: 'Ort',
    country: 'Land',
    vatNumber: 'USt-IdNr.',
    companyNumber: 'Handelsregisternummer',
    iban: 'IBAN',
    bic: 'BIC',
    bankgiro: 'Bankgiro',
    plusgiro: 'Plusgiro',
    account: 'Konto',
    creditorNumber: 'Gläubigernummer',
  },
  yes: 'ja',
  no: 'nein',
  badName: 'Geben Sie einen Namen ein.',
  badDialect: 'Wählen Sie einen Dialekt.',
  badColour: 'Die Farbe muss aus sechs Hexziffern bestehen, etwa #0b6e4f.',
  badRefundProof: 'Schreiben Sie Beträge mit Währung, einen je Währung: 5000 SEK, 500 EUR.',
  conflict: 'Das passt nicht zusammen: Bei Bedarf reserviert nur ein Testhändler des Simulators.',
};
