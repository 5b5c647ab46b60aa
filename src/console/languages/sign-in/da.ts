// Signing in, by whatever way, and what is told when that cannot be, in Danish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const da: TextsOf<typeof en> = {
  signIn: 'Log ind',
  asEmail: 'Som {email}',
  usedUp: 'Linket er brugt',
  usedUpText: 'Et link gælder til én login og i nogle dage. Bed om et nyt; den, der driver Kassa, laver det med',
  linkWaits: 'Linket er ikke godkendt endnu',
  linkWaitsText:
    'Det er til nogen, der allerede kan logge ind, så en anden administrator skal godkende det på siden Team. Åbn det igen derefter.',
  anotherWay: 'Log ind på en anden måde',
  elsewhere: 'Adgangsnøgler virker på {link}, ikke på denne adresse.',
  code: 'Kode',
  codeHint: 'Seks cifre fra din godkendelsesapp eller en gendannelseskode.',
  email: 'E-mail',
  password: 'Adgangskode',
  withPassword: 'Log ind med adgangskode',
  withCompany: 'Log ind med firmakonto',
  withPasskey: 'Log ind med adgangsnøgle',
  noWay: 'Intet login endnu, eller mistet det',
  noWayText: 'Åbn det link, du har fået. Den, der driver Kassa, laver et med',
  inTerminal:
    'Åbn linket “Console”, som vises i den terminal, hvor Kassa blev startet. Er det brugt, så start Kassa igen, eller lav et nyt med',
  byCommand: 'Ingen har endnu anden adgang end et link. Lav et med',
  notSignedIn: 'Ikke logget ind',
  tryAgain: 'Prøv igen',
  stillYou: 'Er det stadig dig?',
  proofNeeded: 'Det, du vil gøre, kræver, at du har bekræftet din identitet inden for de seneste ti minutter.',
  proofNeededAt:
    'Det, du vil gøre på siden “{page}”, kræver, at du har bekræftet din identitet inden for de seneste ti minutter.',
  doAgain:
    'Intet er gjort endnu. Bagefter er du tilbage på siden: gør det en gang til, og skriv igen det, du havde skrevet.',
  formIsKept: 'Det, du udfyldte, gemmes og sendes, så snart du har bekræftet.',
  proved: 'Bekræftet',
  onItsWay: 'Det, du udfyldte, sendes.',
  sendOn: 'Send',
  linkLeadsBack: 'Åbn det i denne browser, så kommer du tilbage til, hvor du var.',
  usePasskey: 'Brug en adgangsnøgle',
  useCode: 'Brug koden',
  companyAgain: 'Log ind igen med firmakonto',
  proofByLink: 'Log ind på ny med et link, det gælder som bekræftelse. Den, der driver Kassa, laver det med',
  problems: {
    locked:
      'Ti forsøg er mislykkedes. Adgangskoder og koder til denne konto godtages ikke før {time}. En adgangsnøgle virker stadig, og en administrator kan låse kontoen op.',
    wrong: 'Det passede ikke. Hver kode virker én gang: vent på den næste.',
    wait: {
      one: 'For mange forsøg. Kom igen om et minut, eller brug en adgangsnøgle eller et link.',
      other: 'For mange forsøg. Kom igen om {count} minutter, eller brug en adgangsnøgle eller et link.',
    },
    busy: 'Mange logger ind lige nu. Prøv igen om lidt.',
  },
  company: {
    unverified: 'Firmaets login gav ingen bekræftet e-mailadresse.',
    stale: 'Firmaets login spurgte ikke, hvem du er. Log ud der, og prøv igen.',
    busy: 'Mange logger ind lige nu. Prøv igen om lidt.',
    failed: 'Firmaets login virkede ikke. Prøv igen; den, der driver Kassa, finder årsagen i loggen.',
    away: 'Firmaets login kan ikke nås. Prøv igen om lidt.',
    untrusted:
      'Svaret fra firmaets login er ikke signeret med en af dets nøgler og blev derfor ikke accepteret. Prøv igen; den, der driver Kassa, finder årsagen i loggen.',
    keyless: 'Nøglerne til firmaets login kan ikke hentes, så svaret kan ikke kontrolleres. Prøv igen om lidt.',
    late: 'Det tog for lang tid eller begyndte i en anden browser. Prøv igen.',
    unknown: 'Ingen er kendt her som {email}. Bed en administrator om at invitere dig.',
  },
  passkey: {
    wrong: 'Den adgangsnøgle er ikke kendt her.',
    notAdded: 'Den blev ikke tilføjet: den findes allerede, det tog for lang tid, eller du har tyve i forvejen.',
    noSite: 'Adgangsnøgler kræver en adresse med et navn: en IP-adresse kan ikke have nogen.',
    failed: 'Det virkede ikke. Prøv igen.',
    known: 'Denne enhed har allerede en adgangsnøgle til dig.',
    notUsed: 'Ingen adgangsnøgle blev brugt. Prøv igen, når du er klar.',
  },
  secondFactor: {
    title: 'Tilføj en anden faktor',
    needed: '{merchant} kræver en anden faktor. Tilføj en adgangsnøgle, eller en adgangskode med en godkendelsesapp.',
    nothingElse: 'Indtil da åbner intet andet her.',
    hasOne: 'Du har allerede en adgangsnøgle eller en godkendelsesapp.',
    useIt: 'Brug den',
    byCompany: 'Et link alene er ingen anden faktor. Log ind via din virksomhed.',
    first: 'Tilføj en anden faktor først.',
  },
  proofFirst: 'Bekræft først, at det er dig: det er over ti minutter siden sidst.',
  signInFirst: 'Log ind først.',
};
