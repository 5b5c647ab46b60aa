// The words by which an invoice is booked: the numbers of the seller and where the money goes; and those of a credit note.
// IBAN, BIC, Bankgiro and Plusgiro are called so everywhere.
import type { Language } from '../../pages/language.ts';

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
  /** Whether it was paid is not known here. */
  readonly creditExplained: string;
  readonly creditsInvoice: (invoice: string, day: string) => string;
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
  creditExplained:
    'Nothing is to be paid. If you have paid the invoice, you get this amount back; if not, it lowers what you owe.',
  creditsInvoice: (invoice, day) => `This credit note credits invoice ${invoice} of ${day}.`,
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
  creditExplained:
    'Ingenting ska betalas. Har du redan betalat fakturan får du tillbaka beloppet, annars minskar det din skuld.',
  creditsInvoice: (invoice, day) => `Kreditfakturan avser faktura ${invoice}, daterad ${day}.`,
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
  creditExplained:
    'Ingenting skal betales. Har du allerede betalt fakturaen, får du beløpet tilbake; hvis ikke, skylder du så mye mindre.',
  creditsInvoice: (invoice, day) => `Kreditnotaen gjelder faktura ${invoice} av ${day}.`,
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
  creditExplained:
    'Der skal ikke betales noget. Har du allerede betalt fakturaen, får du beløbet tilbage; ellers skylder du så meget mindre.',
  creditsInvoice: (invoice, day) => `Kreditnotaen vedrører faktura ${invoice} af ${day}.`,
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
  creditExplained:
    'Mitään ei tarvitse maksaa. Jos olet jo maksanut laskun, summa palautetaan sinulle; muuten se pienentää velkaasi.',
  creditsInvoice: (invoice, day) => `Hyvityslasku koskee laskua ${invoice}, joka on päivätty ${day}.`,
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
  creditExplained:
    'Es ist nichts zu zahlen. Haben Sie die Rechnung bereits bezahlt, wird Ihnen der Betrag erstattet; andernfalls verringert er Ihre Schuld.',
  creditsInvoice: (invoice, day) => `Diese Rechnungskorrektur bezieht sich auf die Rechnung ${invoice} vom ${day}.`,
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
  creditExplained:
    'Il n’y a rien à payer. Si vous avez déjà réglé la facture, ce montant vous est remboursé ; sinon, il est déduit de ce que vous devez.',
  creditsInvoice: (invoice, day) => `Cet avoir se rapporte à la facture ${invoice} du ${day}.`,
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
  creditExplained:
    'Er hoeft niets te worden betaald. Hebt u de factuur al betaald, dan krijgt u dit bedrag terug; anders bent u zoveel minder verschuldigd.',
  creditsInvoice: (invoice, day) => `Deze creditnota heeft betrekking op factuur ${invoice} van ${day}.`,
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
  creditExplained:
    'No hay nada que pagar. Si ya ha pagado la factura, se le devuelve este importe; si no, se descuenta de lo que debe.',
  creditsInvoice: (invoice, day) => `Esta factura rectificativa corresponde a la factura ${invoice} del ${day}.`,
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
  creditExplained:
    'Nie trzeba nic płacić. Jeśli faktura została już opłacona, kwota zostanie zwrócona; w przeciwnym razie pomniejszy należność.',
  creditsInvoice: (invoice, day) => `Faktura korygująca dotyczy faktury ${invoice} z dnia ${day}.`,
  creditPart: (invoice) => `Część faktury ${invoice}`,
  testSeller: 'Przykład: sklep nie podał własnego adresu ani konta.',
};

export const BOOKING_LABELS: Readonly<Record<Language, BookingLabels>> = { en, sv, nb, da, fi, de, fr, nl, es, pl };
