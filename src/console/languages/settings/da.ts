// The settings of a merchant, in Danish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const da: TextsOf<typeof en> = {
  merchant: 'Butik',
  mode: 'Tilstand',
  live: 'live',
  test: 'test',
  forGood: 'Kan ikke ændres.',
  name: 'Navn',
  dialect: 'Dialekt',
  strictItems: 'Strenge varelinjer',
  reserveOnDemand: 'Reservér efter behov',
  refundProof: 'Refusioner, der kræver bekræftelse',
  refundProofLabel: 'Refusioner over disse beløb kræver bekræftelse',
  colour: 'Farve',
  acquirer: 'Indløser',
  means: {
    name: 'Vises til forbrugere i checkouten og på fakturaer.',
    dialect: 'Hvordan API’et staver sine svar: spec, eller nexi til programmer, der er lavet til en anden tjeneste.',
    strictItems: 'Træk, refusioner og annulleringer må kun nævne varer, der stadig er der.',
    reserveOnDemand: 'Et træk eller en annullering af en ubetalt betaling reserverer den først. Kun testbutikker.',
    colour: 'På checkoutens knapper, som seks hexcifre. Tomt: standardfarven.',
    refundProof:
      'En refusion, der bringer det refunderede af en betaling over beløbet for valutaen, spørger, hvem det er, med adgangsnøgle eller kode; i en valuta uden beløb gør hver refusion det. Tomt: ingen gør det.',
    acquirer: 'Hvor nye reservationer foretages. Angives af den, der driver Kassa: kassa merchant update.',
    seller: 'På fakturaer; angives med kassa merchant update.',
  },
  seller: 'Sælger: {field}',
  yes: 'ja',
  no: 'nej',
  change: 'Ret',
  badName: 'Angiv et navn.',
  badDialect: 'Vælg en dialekt.',
  badColour: 'Farven skal være seks hexcifre, for eksempel #0b6e4f.',
  badRefundProof: 'Skriv beløb med valuta, ét for hver: 5000 SEK, 500 EUR.',
  conflict: 'Det passer ikke sammen: kun en testbutik hos simulatoren reserverer efter behov.',
};
