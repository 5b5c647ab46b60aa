// The settings of a merchant, in Polish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const pl: TextsOf<typeof en> = {
  merchant: 'Sprzedawca',
  mode: 'Tryb',
  live: 'produkcja',
  test: 'test',
  forGood: 'Na stałe.',
  name: 'Nazwa',
  dialect: 'Dialekt',
  secondFactor: 'Wymagany drugi składnik',
  strictItems: 'Ścisłe pozycje',
  reserveOnDemand: 'Rezerwacja na żądanie',
  refundProof: 'Zwroty wymagające potwierdzenia',
  refundProofLabel: 'Zwroty powyżej tych kwot wymagają potwierdzenia',
  colour: 'Kolor',
  pickColour: 'Wybierz kolor',
  acquirer: 'Agent rozliczeniowy',
  means: {
    name: 'Widoczna dla konsumentów w checkoucie i na fakturach.',
    dialect: 'Jak API zapisuje odpowiedzi: spec albo nexi dla programów stworzonych dla innej usługi.',
    secondFactor:
      'Loguje się kluczem dostępu, hasłem i kodem albo przez firmę. Jednorazowy link prowadzi tylko do dodania klucza lub aplikacji.',
    strictItems: 'Pobrania, zwroty i anulowania mogą wymieniać tylko pozycje, które jeszcze pozostały.',
    reserveOnDemand:
      'Pobranie lub anulowanie nieopłaconej płatności najpierw ją rezerwuje. Tylko dla sprzedawców testowych.',
    colour: 'Przycisków checkoutu, sześć cyfr szesnastkowych. Puste: zieleń Kassy.',
    refundProof:
      'Zwrot, po którym zwrócona część płatności przekracza kwotę dla waluty, wymaga klucza dostępu lub kodu; w walucie bez kwoty wymaga tego każdy zwrot. Puste: żaden.',
    acquirer: 'Gdzie powstają nowe rezerwacje. Ustawia osoba prowadząca Kassę: kassa merchant update.',
    seller: 'Na fakturach; ustawiane przez kassa merchant update.',
  },
  seller: 'Sprzedający: {field}',
  sellerFields: {
    name: 'nazwa',
    address: 'adres',
    address2: 'druga linia adresu',
    postalCode: 'kod pocztowy',
    city: 'miejscowość',
    country: 'kraj',
    vatNumber: 'numer VAT',
    companyNumber: 'numer firmy',
    iban: 'IBAN',
    bic: 'BIC',
    bankgiro: 'Bankgiro',
    plusgiro: 'Plusgiro',
    account: 'rachunek',
    creditorNumber: 'numer wierzyciela',
  },
  yes: 'tak',
  no: 'nie',
  badName: 'Podaj nazwę.',
  badDialect: 'Wybierz dialekt.',
  badColour: 'Kolor musi mieć sześć cyfr szesnastkowych, na przykład #0b6e4f.',
  badRefundProof: 'Wpisz kwoty z walutami, po jednej dla każdej: 5000 SEK, 500 EUR.',
  conflict: 'To się wyklucza: na żądanie rezerwuje tylko sprzedawca testowy symulatora.',
};
