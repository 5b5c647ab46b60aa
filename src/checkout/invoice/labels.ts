// The words of an invoice in the languages of the checkout. Terms are those of the country's own invoices: what a
// Norwegian bank asks for is called KID, so that is what the invoice calls it.
import { BOOKING_LABELS } from './booking-labels.ts';
import type { Language } from '../../pages/language.ts';
import type { BookingLabels } from './booking-labels.ts';

type PrintedLabels = {
  readonly invoice: string;
  readonly invoiceNumber: string;
  readonly paymentReference: string;
  readonly issuedOn: string;
  readonly dueOn: string;
  /** Does not end with the word for an order: a shop's references begin with it, and stand right beside. */
  readonly orderReference: string;
  readonly paymentId: string;
  readonly merchantNumber: string;
  readonly billTo: string;
  readonly item: string;
  readonly itemNumber: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly taxRate: string;
  readonly tax: string;
  readonly total: string;
  readonly net: string;
  readonly gross: string;
  readonly rounding: string;
  readonly toPay: string;
  readonly stateReference: string;
  readonly test: string;
  readonly testExplained: string;
  /** What a charge of an amount alone is for. */
  readonly partialAmount: string;
  readonly page: (page: number, of: number) => string;
};

const en: PrintedLabels = {
  invoice: 'Invoice',
  invoiceNumber: 'Invoice number',
  paymentReference: 'Payment reference (OCR)',
  issuedOn: 'Invoice date',
  dueOn: 'Due date',
  orderReference: 'Order number',
  paymentId: 'Payment ID',
  merchantNumber: 'Merchant number',
  billTo: 'Bill to',
  item: 'Item',
  itemNumber: 'Item no.',
  quantity: 'Quantity',
  unitPrice: 'Unit price excl. tax',
  taxRate: 'Tax rate',
  tax: 'Tax',
  total: 'Total',
  net: 'Net',
  gross: 'Gross',
  rounding: 'Rounding',
  toPay: 'To pay',
  stateReference: 'Please state the payment reference when you pay.',
  test: 'TEST – do not pay',
  testExplained: 'This document comes from a test environment. Nothing is to be paid.',
  partialAmount: 'Partial amount',
  page: (page, of) => `Page ${page} of ${of}`,
};

const sv: PrintedLabels = {
  invoice: 'Faktura',
  invoiceNumber: 'Fakturanummer',
  paymentReference: 'OCR-nummer',
  issuedOn: 'Fakturadatum',
  dueOn: 'Förfallodatum',
  orderReference: 'Ordernummer',
  paymentId: 'Betalnings-id',
  merchantNumber: 'Säljarnummer',
  billTo: 'Fakturamottagare',
  item: 'Artikel',
  itemNumber: 'Art.nr',
  quantity: 'Antal',
  unitPrice: 'À-pris exkl. moms',
  taxRate: 'Momssats',
  tax: 'Moms',
  total: 'Totalt',
  net: 'Netto',
  gross: 'Brutto',
  rounding: 'Avrundning',
  toPay: 'Att betala',
  stateReference: 'Ange OCR-numret när du betalar.',
  test: 'TEST – betala inte',
  testExplained: 'Dokumentet kommer från en testmiljö. Ingenting ska betalas.',
  partialAmount: 'Delbelopp',
  page: (page, of) => `Sida ${page} av ${of}`,
};

const nb: PrintedLabels = {
  invoice: 'Faktura',
  invoiceNumber: 'Fakturanummer',
  paymentReference: 'KID',
  issuedOn: 'Fakturadato',
  dueOn: 'Forfallsdato',
  orderReference: 'Ordrenummer',
  paymentId: 'Betalings-ID',
  merchantNumber: 'Selgernummer',
  billTo: 'Fakturamottaker',
  item: 'Vare',
  itemNumber: 'Varenr.',
  quantity: 'Antall',
  unitPrice: 'Enhetspris ekskl. mva.',
  taxRate: 'Mva.-sats',
  tax: 'Mva.',
  total: 'Totalt',
  net: 'Netto',
  gross: 'Brutto',
  rounding: 'Avrunding',
  toPay: 'Å betale',
  stateReference: 'Oppgi KID når du betaler.',
  test: 'TEST – skal ikke betales',
  testExplained: 'Dokumentet kommer fra et testmiljø. Ingenting skal betales.',
  partialAmount: 'Delbeløp',
  page: (page, of) => `Side ${page} av ${of}`,
};

const da: PrintedLabels = {
  invoice: 'Faktura',
  invoiceNumber: 'Fakturanummer',
  paymentReference: 'Betalingsidentifikation',
  issuedOn: 'Fakturadato',
  dueOn: 'Forfaldsdato',
  orderReference: 'Ordrenummer',
  paymentId: 'Betalings-id',
  merchantNumber: 'Sælgernummer',
  billTo: 'Fakturamodtager',
  item: 'Vare',
  itemNumber: 'Varenr.',
  quantity: 'Antal',
  unitPrice: 'Stykpris ekskl. moms',
  taxRate: 'Momssats',
  tax: 'Moms',
  total: 'I alt',
  net: 'Netto',
  gross: 'Brutto',
  rounding: 'Afrunding',
  toPay: 'Til betaling',
  stateReference: 'Angiv betalingsidentifikationen, når du betaler.',
  test: 'TEST – skal ikke betales',
  testExplained: 'Dokumentet kommer fra et testmiljø. Der skal ikke betales noget.',
  partialAmount: 'Delbeløb',
  page: (page, of) => `Side ${page} af ${of}`,
};

const fi: PrintedLabels = {
  invoice: 'Lasku',
  invoiceNumber: 'Laskun numero',
  paymentReference: 'Viitenumero',
  issuedOn: 'Laskun päiväys',
  dueOn: 'Eräpäivä',
  orderReference: 'Tilausnumero',
  paymentId: 'Maksutunnus',
  merchantNumber: 'Myyjänumero',
  billTo: 'Laskun saaja',
  item: 'Tuote',
  itemNumber: 'Tuotenro',
  quantity: 'Määrä',
  unitPrice: 'Veroton yksikköhinta',
  taxRate: 'Alv-kanta',
  tax: 'Alv',
  total: 'Yhteensä',
  net: 'Veroton',
  gross: 'Verollinen',
  rounding: 'Pyöristys',
  toPay: 'Maksettavaa',
  stateReference: 'Käytä viitenumeroa, kun maksat laskun.',
  test: 'TESTI – älä maksa',
  testExplained: 'Asiakirja on testiympäristöstä. Mitään ei tarvitse maksaa.',
  partialAmount: 'Osasumma',
  page: (page, of) => `Sivu ${page}/${of}`,
};

const de: PrintedLabels = {
  invoice: 'Rechnung',
  invoiceNumber: 'Rechnungsnummer',
  paymentReference: 'Zahlungsreferenz',
  issuedOn: 'Rechnungsdatum',
  dueOn: 'Fällig am',
  orderReference: 'Bestellnummer',
  paymentId: 'Zahlungs-ID',
  merchantNumber: 'Händlernummer',
  billTo: 'Rechnungsempfänger',
  item: 'Artikel',
  itemNumber: 'Art.-Nr.',
  quantity: 'Menge',
  unitPrice: 'Einzelpreis netto',
  taxRate: 'MwSt.-Satz',
  tax: 'MwSt.',
  total: 'Gesamt',
  net: 'Netto',
  gross: 'Brutto',
  rounding: 'Rundung',
  toPay: 'Zu zahlen',
  stateReference: 'Bitte geben Sie bei der Zahlung die Zahlungsreferenz an.',
  test: 'TEST – nicht bezahlen',
  testExplained: 'Dieses Dokument stammt aus einer Testumgebung. Es ist nichts zu zahlen.',
  partialAmount: 'Teilbetrag',
  page: (page, of) => `Seite ${page} von ${of}`,
};

const fr: PrintedLabels = {
  invoice: 'Facture',
  invoiceNumber: 'Numéro de facture',
  paymentReference: 'Référence de paiement',
  issuedOn: 'Date de facture',
  dueOn: 'Date d’échéance',
  orderReference: 'Commande n°',
  paymentId: 'Identifiant du paiement',
  merchantNumber: 'Numéro de commerçant',
  billTo: 'Facturé à',
  item: 'Article',
  itemNumber: 'Réf.',
  quantity: 'Quantité',
  unitPrice: 'Prix unitaire HT',
  taxRate: 'Taux de TVA',
  tax: 'TVA',
  total: 'Total',
  net: 'Montant HT',
  gross: 'Montant TTC',
  rounding: 'Arrondi',
  toPay: 'À payer',
  stateReference: 'Veuillez indiquer la référence de paiement lorsque vous payez.',
  test: 'TEST – ne pas payer',
  testExplained: 'Ce document provient d’un environnement de test. Il n’y a rien à payer.',
  partialAmount: 'Montant partiel',
  page: (page, of) => `Page ${page} sur ${of}`,
};

const nl: PrintedLabels = {
  invoice: 'Factuur',
  invoiceNumber: 'Factuurnummer',
  paymentReference: 'Betalingskenmerk',
  issuedOn: 'Factuurdatum',
  dueOn: 'Vervaldatum',
  orderReference: 'Bestelnummer',
  paymentId: 'Betalings-ID',
  merchantNumber: 'Verkopernummer',
  billTo: 'Gefactureerd aan',
  item: 'Artikel',
  itemNumber: 'Art.nr.',
  quantity: 'Aantal',
  unitPrice: 'Stukprijs excl. btw',
  taxRate: 'Btw-tarief',
  tax: 'Btw',
  total: 'Totaal',
  net: 'Netto',
  gross: 'Bruto',
  rounding: 'Afronding',
  toPay: 'Te betalen',
  stateReference: 'Vermeld het betalingskenmerk wanneer u betaalt.',
  test: 'TEST – niet betalen',
  testExplained: 'Dit document komt uit een testomgeving. Er hoeft niets te worden betaald.',
  partialAmount: 'Deelbedrag',
  page: (page, of) => `Pagina ${page} van ${of}`,
};

const es: PrintedLabels = {
  invoice: 'Factura',
  invoiceNumber: 'Número de factura',
  paymentReference: 'Referencia de pago',
  issuedOn: 'Fecha de factura',
  dueOn: 'Vencimiento',
  orderReference: 'Pedido n.º',
  paymentId: 'ID del pago',
  merchantNumber: 'Número de vendedor',
  billTo: 'Facturar a',
  item: 'Artículo',
  itemNumber: 'Ref.',
  quantity: 'Cantidad',
  unitPrice: 'Precio unitario sin IVA',
  taxRate: 'Tipo de IVA',
  tax: 'IVA',
  total: 'Total',
  net: 'Base imponible',
  gross: 'Importe con IVA',
  rounding: 'Redondeo',
  toPay: 'A pagar',
  stateReference: 'Indique la referencia de pago cuando pague.',
  test: 'PRUEBA – no pagar',
  testExplained: 'Este documento procede de un entorno de prueba. No hay nada que pagar.',
  partialAmount: 'Importe parcial',
  page: (page, of) => `Página ${page} de ${of}`,
};

const pl: PrintedLabels = {
  invoice: 'Faktura',
  invoiceNumber: 'Numer faktury',
  paymentReference: 'Tytuł płatności',
  issuedOn: 'Data wystawienia',
  dueOn: 'Termin płatności',
  orderReference: 'Zamówienie nr',
  paymentId: 'Identyfikator płatności',
  merchantNumber: 'Numer sprzedawcy',
  billTo: 'Nabywca',
  item: 'Pozycja',
  itemNumber: 'Kod',
  quantity: 'Ilość',
  unitPrice: 'Cena jedn. netto',
  taxRate: 'Stawka VAT',
  tax: 'VAT',
  total: 'Razem',
  net: 'Netto',
  gross: 'Brutto',
  rounding: 'Zaokrąglenie',
  toPay: 'Do zapłaty',
  stateReference: 'Przy płatności podaj tytuł płatności.',
  test: 'TEST – nie płacić',
  testExplained: 'Ten dokument pochodzi ze środowiska testowego. Nie trzeba nic płacić.',
  partialAmount: 'Kwota częściowa',
  page: (page, of) => `Strona ${page} z ${of}`,
};

export type InvoiceLabels = PrintedLabels & BookingLabels;

const PRINTED: Readonly<Record<Language, PrintedLabels>> = { en, sv, nb, da, fi, de, fr, nl, es, pl };

export const LABELS = Object.fromEntries(
  Object.entries(PRINTED).map(([language, labels]) => [
    language,
    { ...labels, ...BOOKING_LABELS[language as Language] },
  ]),
) as Readonly<Record<Language, InvoiceLabels>>;

const LANGUAGE_OF_COUNTRY: Readonly<Record<string, Language>> = {
  SWE: 'sv',
  NOR: 'nb',
  DNK: 'da',
  FIN: 'fi',
  DEU: 'de',
  AUT: 'de',
  FRA: 'fr',
  NLD: 'nl',
  ESP: 'es',
  POL: 'pl',
};

/** The language of a consumer of whom only the country is known, by its three letters. */
export const languageOfCountry = (country: string | undefined): Language => LANGUAGE_OF_COUNTRY[country ?? ''] ?? 'en';
