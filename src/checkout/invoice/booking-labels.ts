// The words by which an invoice is booked: the numbers of the seller and where the money goes; and those of a credit note.
// IBAN, BIC, Bankgiro and Plusgiro are called so everywhere.
import type { Language } from '../view.ts';

export type BookingLabels = {
  /** The long number, where there is a short one. */
  readonly invoiceId: string;
  readonly vatNumber: string;
  readonly companyNumber: string;
  readonly account: string;
  readonly creditNote: string;
  readonly creditNumber: string;
  readonly creditedOn: string;
  readonly creditOf: string;
  readonly creditedAmount: string;
  readonly creditExplained: string;
  readonly creditPart: (invoice: string) => string;
  readonly testSeller: string;
};

const en: BookingLabels = {
  invoiceId: 'Invoice ID',
  vatNumber: 'VAT no.',
  companyNumber: 'Company no.',
  account: 'Bank account',
  creditNote: 'Credit note',
  creditNumber: 'Credit note number',
  creditedOn: 'Credit note date',
  creditOf: 'Credits invoice',
  creditedAmount: 'Credited',
  creditExplained: 'This amount is given back to you. Nothing is to be paid.',
  creditPart: (invoice) => `Part of invoice ${invoice}`,
  testSeller: 'Example: this shop has given no address and no account of its own.',
};

const sv: BookingLabels = {
  invoiceId: 'Faktura-id',
  vatNumber: 'Momsreg.nr',
  companyNumber: 'Org.nr',
  account: 'Bankkonto',
  creditNote: 'Kreditfaktura',
  creditNumber: 'Kreditfakturanummer',
  creditedOn: 'Kreditfakturadatum',
  creditOf: 'Krediterar faktura',
  creditedAmount: 'Krediterat belopp',
  creditExplained: 'Beloppet betalas tillbaka till dig. Ingenting ska betalas.',
  creditPart: (invoice) => `Del av faktura ${invoice}`,
  testSeller: 'Exempel: butiken har inte angett någon egen adress eller något eget konto.',
};

const nb: BookingLabels = {
  invoiceId: 'Faktura-ID',
  vatNumber: 'Mva.-nr.',
  companyNumber: 'Org.nr.',
  account: 'Kontonummer',
  creditNote: 'Kreditnota',
  creditNumber: 'Kreditnotanummer',
  creditedOn: 'Kreditnotadato',
  creditOf: 'Krediterer faktura',
  creditedAmount: 'Kreditert beløp',
  creditExplained: 'Beløpet betales tilbake til deg. Ingenting skal betales.',
  creditPart: (invoice) => `Del av faktura ${invoice}`,
  testSeller: 'Eksempel: butikken har ikke oppgitt noen egen adresse eller konto.',
};

const da: BookingLabels = {
  invoiceId: 'Faktura-id',
  vatNumber: 'Momsnr.',
  companyNumber: 'CVR-nr.',
  account: 'Reg.- og kontonr.',
  creditNote: 'Kreditnota',
  creditNumber: 'Kreditnotanummer',
  creditedOn: 'Kreditnotadato',
  creditOf: 'Krediterer faktura',
  creditedAmount: 'Krediteret beløb',
  creditExplained: 'Beløbet betales tilbage til dig. Der skal ikke betales noget.',
  creditPart: (invoice) => `Del af faktura ${invoice}`,
  testSeller: 'Eksempel: butikken har ikke angivet sin egen adresse eller konto.',
};

const fi: BookingLabels = {
  invoiceId: 'Laskun tunnus',
  vatNumber: 'Alv-tunniste',
  companyNumber: 'Y-tunnus',
  account: 'Tilinumero',
  creditNote: 'Hyvityslasku',
  creditNumber: 'Hyvityslaskun numero',
  creditedOn: 'Hyvityslaskun päiväys',
  creditOf: 'Hyvittää laskun',
  creditedAmount: 'Hyvitettävää',
  creditExplained: 'Summa palautetaan sinulle. Mitään ei tarvitse maksaa.',
  creditPart: (invoice) => `Osa laskusta ${invoice}`,
  testSeller: 'Esimerkki: kauppa ei ole ilmoittanut omaa osoitettaan eikä tiliään.',
};

const de: BookingLabels = {
  invoiceId: 'Rechnungs-ID',
  vatNumber: 'USt-IdNr.',
  companyNumber: 'Registernummer',
  account: 'Kontonummer',
  creditNote: 'Rechnungskorrektur',
  creditNumber: 'Korrekturnummer',
  creditedOn: 'Korrekturdatum',
  creditOf: 'Korrigiert Rechnung',
  creditedAmount: 'Gutgeschrieben',
  creditExplained: 'Dieser Betrag wird Ihnen erstattet. Es ist nichts zu zahlen.',
  creditPart: (invoice) => `Teil der Rechnung ${invoice}`,
  testSeller: 'Beispiel: Dieser Händler hat keine eigene Anschrift und kein eigenes Konto angegeben.',
};

const fr: BookingLabels = {
  invoiceId: 'Identifiant de la facture',
  vatNumber: 'N° de TVA',
  companyNumber: 'N° d’entreprise',
  account: 'Numéro de compte',
  creditNote: 'Avoir',
  creditNumber: 'Numéro de l’avoir',
  creditedOn: 'Date de l’avoir',
  creditOf: 'Facture concernée',
  creditedAmount: 'Montant crédité',
  creditExplained: 'Ce montant vous est remboursé. Il n’y a rien à payer.',
  creditPart: (invoice) => `Partie de la facture ${invoice}`,
  testSeller: 'Exemple : ce commerçant n’a indiqué ni adresse ni compte.',
};

const nl: BookingLabels = {
  invoiceId: 'Factuur-ID',
  vatNumber: 'Btw-nr.',
  companyNumber: 'Bedrijfsnr.',
  account: 'Rekeningnummer',
  creditNote: 'Creditnota',
  creditNumber: 'Creditnotanummer',
  creditedOn: 'Creditnotadatum',
  creditOf: 'Betreft factuur',
  creditedAmount: 'Gecrediteerd',
  creditExplained: 'Dit bedrag wordt aan u terugbetaald. Er hoeft niets te worden betaald.',
  creditPart: (invoice) => `Deel van factuur ${invoice}`,
  testSeller: 'Voorbeeld: deze winkel heeft geen eigen adres en geen eigen rekening opgegeven.',
};

const es: BookingLabels = {
  invoiceId: 'ID de la factura',
  vatNumber: 'N.º de IVA',
  companyNumber: 'N.º de empresa',
  account: 'Número de cuenta',
  creditNote: 'Factura rectificativa',
  creditNumber: 'Número de rectificativa',
  creditedOn: 'Fecha de rectificativa',
  creditOf: 'Rectifica la factura',
  creditedAmount: 'Importe abonado',
  creditExplained: 'Este importe se le devuelve. No hay nada que pagar.',
  creditPart: (invoice) => `Parte de la factura ${invoice}`,
  testSeller: 'Ejemplo: esta tienda no ha indicado dirección ni cuenta propias.',
};

const pl: BookingLabels = {
  invoiceId: 'Identyfikator faktury',
  vatNumber: 'Numer VAT',
  companyNumber: 'Numer firmy',
  account: 'Numer konta',
  creditNote: 'Faktura korygująca',
  creditNumber: 'Numer korekty',
  creditedOn: 'Data korekty',
  creditOf: 'Koryguje fakturę',
  creditedAmount: 'Kwota zwrotu',
  creditExplained: 'Ta kwota zostanie zwrócona. Nie trzeba nic płacić.',
  creditPart: (invoice) => `Część faktury ${invoice}`,
  testSeller: 'Przykład: sklep nie podał własnego adresu ani konta.',
};

export const BOOKING_LABELS: Readonly<Record<Language, BookingLabels>> = { en, sv, nb, da, fi, de, fr, nl, es, pl };
