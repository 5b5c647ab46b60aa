// Signing in, by whatever way, and what is told when that cannot be, in Polish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const pl: TextsOf<typeof en> = {
  signIn: 'Logowanie',
  asEmail: 'Jako {email}',
  usedUp: 'Ten link został już użyty',
  usedUpText: 'Link działa jeden raz i przez kilka dni. Poproś o nowy; osoba prowadząca Kassę tworzy go poleceniem',
  linkWaits: 'Ten link nie jest jeszcze zatwierdzony',
  linkWaitsText:
    'Jest dla osoby, która może się już logować, więc musi go zatwierdzić inny administrator na stronie Zespół. Potem otwórz go ponownie.',
  anotherWay: 'Zaloguj się inaczej',
  elsewhere: 'Klucze dostępu działają pod adresem {link}, a nie pod tym.',
  code: 'Kod',
  codeHint: 'Sześć cyfr z aplikacji uwierzytelniającej lub kod odzyskiwania.',
  email: 'E-mail',
  password: 'Hasło',
  withPassword: 'Zaloguj się hasłem',
  withCompany: 'Zaloguj się kontem firmowym',
  withPasskey: 'Zaloguj się kluczem dostępu',
  noWay: 'Brak dostępu lub utracony dostęp',
  noWayText: 'Otwórz otrzymany link. Osoba prowadząca Kassę tworzy go poleceniem',
  inTerminal:
    'Otwórz link „Console”, który pokazuje terminal, w którym uruchomiono Kassę. Jeśli został już użyty, uruchom Kassę ponownie lub utwórz nowy poleceniem',
  byCommand: 'Nikt nie ma jeszcze innego dostępu niż link. Utwórz go poleceniem',
  notSignedIn: 'Nie zalogowano',
  tryAgain: 'Spróbuj ponownie',
  stillYou: 'Czy to nadal Ty?',
  proofNeeded: 'Ta czynność wymaga potwierdzenia tożsamości z ostatnich dziesięciu minut.',
  proofNeededAt:
    'To, co chcesz zrobić na stronie „{page}”, wymaga potwierdzenia tożsamości z ostatnich dziesięciu minut.',
  doAgain:
    'Nic jeszcze nie zostało zrobione. Potem wrócisz na tę stronę: zrób to jeszcze raz i wpisz ponownie to, co było wpisane.',
  formIsKept: 'Wpisane dane są zachowane i zostaną wysłane po potwierdzeniu.',
  proved: 'Potwierdzono',
  onItsWay: 'Wpisane dane są wysyłane.',
  sendOn: 'Wyślij',
  linkLeadsBack: 'Otwórz go w tej przeglądarce, a zaprowadzi z powrotem.',
  usePasskey: 'Użyj klucza dostępu',
  useCode: 'Użyj tego kodu',
  companyAgain: 'Zaloguj się ponownie kontem firmowym',
  proofByLink:
    'Zaloguj się ponownie linkiem, to wystarczy jako potwierdzenie. Osoba prowadząca Kassę tworzy go poleceniem',
  problems: {
    locked:
      'Dziesięć prób się nie powiodło. Hasła i kody tego konta nie są przyjmowane do {time}. Klucz dostępu nadal działa, a administrator może odblokować konto.',
    wrong: 'Dane się nie zgadzają. Każdy kod działa raz: poczekaj na następny.',
    wait: {
      one: 'Za dużo prób. Wróć za minutę albo użyj klucza dostępu lub linku.',
      few: 'Za dużo prób. Wróć za {count} minuty albo użyj klucza dostępu lub linku.',
      many: 'Za dużo prób. Wróć za {count} minut albo użyj klucza dostępu lub linku.',
      other: 'Za dużo prób. Wróć za {count} minuty albo użyj klucza dostępu lub linku.',
    },
    busy: 'Wiele osób loguje się w tej chwili. Spróbuj ponownie za moment.',
  },
  company: {
    unverified: 'Logowanie firmowe nie podało zweryfikowanego adresu e-mail.',
    stale: 'Logowanie firmowe nie zapytało, kim jesteś. Wyloguj się tam i spróbuj ponownie.',
    busy: 'Wiele osób loguje się w tej chwili. Spróbuj ponownie za moment.',
    failed:
      'Logowanie firmowe nie powiodło się. Spróbuj ponownie; osoba prowadząca Kassę znajdzie przyczynę w dzienniku.',
    away: 'Logowanie firmowe jest nieosiągalne. Spróbuj ponownie za moment.',
    untrusted:
      'Odpowiedź logowania firmowego nie jest podpisana żadnym z jego kluczy, dlatego jej nie przyjęto. Spróbuj ponownie; osoba prowadząca Kassę znajdzie przyczynę w dzienniku.',
    keyless:
      'Nie można pobrać kluczy logowania firmowego, więc nie da się sprawdzić odpowiedzi. Spróbuj ponownie za moment.',
    late: 'Trwało to zbyt długo lub zaczęło się w innej przeglądarce. Spróbuj ponownie.',
    unknown: 'Nikt nie jest tu znany jako {email}. Poproś administratora o zaproszenie.',
  },
  passkey: {
    wrong: 'Ten klucz dostępu nie jest tu znany.',
    notAdded: 'Nie dodano: klucz już istnieje, trwało to zbyt długo albo masz już dwadzieścia.',
    noSite: 'Klucze dostępu wymagają adresu z nazwą: adres IP nie może ich mieć.',
    failed: 'Nie udało się. Spróbuj ponownie.',
    known: 'To urządzenie ma już Twój klucz dostępu.',
    notUsed: 'Nie użyto klucza dostępu. Spróbuj ponownie, gdy będzie to możliwe.',
  },
  secondFactor: {
    title: 'Dodaj drugi składnik',
    needed: '{merchant} wymaga drugiego składnika. Dodaj klucz dostępu albo hasło z aplikacją uwierzytelniającą.',
    nothingElse: 'Do tego czasu nic innego się tu nie otworzy.',
    hasOne: 'Masz już klucz dostępu lub aplikację uwierzytelniającą.',
    useIt: 'Użyj',
    byCompany: 'Sam link nie jest drugim składnikiem. Zaloguj się przez firmę.',
    first: 'Najpierw dodaj drugi składnik.',
  },
  proofFirst: 'Najpierw potwierdź, że to Ty: od ostatniego potwierdzenia minęło ponad dziesięć minut.',
  signInFirst: 'Najpierw się zaloguj.',
};
