// The settings of a merchant, in Norwegian.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const nb: TextsOf<typeof en> = {
  merchant: 'Butikk',
  mode: 'Modus',
  live: 'live',
  test: 'test',
  forGood: 'Kan ikke endres.',
  name: 'Navn',
  dialect: 'Dialekt',
  strictItems: 'Strenge varelinjer',
  reserveOnDemand: 'Reserver ved behov',
  refundProof: 'Refusjoner som krever bekreftelse',
  refundProofLabel: 'Refusjoner over disse beløpene krever bekreftelse',
  colour: 'Farge',
  acquirer: 'Innløser',
  means: {
    name: 'Vises for forbrukere i kassen og på fakturaer.',
    dialect: 'Hvordan API-et staver svarene: spec, eller nexi for programmer som er laget for en annen tjeneste.',
    strictItems: 'Belastninger, refusjoner og kanselleringer kan bare nevne varer som fortsatt er der.',
    reserveOnDemand: 'En belastning eller kansellering av en ubetalt betaling reserverer den først. Bare testbutikker.',
    colour: 'På kassens knapper, som seks heksadesimale sifre. Tomt: standardfargen.',
    refundProof:
      'En refusjon som gjør at mer enn beløpet for valutaen refunderes av en betaling, spør hvem det er, med passnøkkel eller kode; i en valuta uten beløp gjør hver refusjon det. Tomt: ingen gjør det.',
    acquirer: 'Der nye reservasjoner gjøres. Settes av den som drifter Kassa: kassa merchant update.',
    seller: 'På fakturaer; settes med kassa merchant update.',
  },
  seller: 'Selger: {field}',
  yes: 'ja',
  no: 'nei',
  change: 'Endre',
  badName: 'Oppgi et navn.',
  badDialect: 'Velg en dialekt.',
  badColour: 'Fargen må være seks heksadesimale sifre, for eksempel #0b6e4f.',
  badRefundProof: 'Skriv beløp med valuta, ett for hver: 5000 SEK, 500 EUR.',
  conflict: 'Dette går ikke sammen: bare en testbutikk hos simulatoren reserverer ved behov.',
};
