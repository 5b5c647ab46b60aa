// Signing in, by whatever way, and what is told when that cannot be, in Swedish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const sv: TextsOf<typeof en> = {
  signIn: 'Logga in',
  asEmail: 'Som {email}',
  usedUp: 'Länken är förbrukad',
  usedUpText: 'En länk gäller för en inloggning och i några dagar. Be om en ny; den som driver Kassa skapar den med',
  linkWaits: 'Länken är inte godkänd än',
  linkWaitsText:
    'Den är för någon som redan kan logga in, så en annan administratör måste godkänna den på sidan Team. Öppna den igen efter det.',
  anotherWay: 'Logga in på ett annat sätt',
  elsewhere: 'Passkeys fungerar på {link}, inte på den här adressen.',
  code: 'Kod',
  codeHint: 'Sex siffror från din autentiseringsapp, eller en återställningskod.',
  email: 'E-post',
  password: 'Lösenord',
  withPassword: 'Logga in med lösenord',
  withCompany: 'Logga in med företagskonto',
  withPasskey: 'Logga in med passkey',
  noWay: 'Ingen inloggning än, eller tappat bort den',
  noWayText: 'Öppna länken som du har fått. Den som driver Kassa skapar en med',
  inTerminal:
    'Öppna länken ”Console” som visas i terminalen där Kassa startades. Är den förbrukad, starta Kassa igen eller skapa en ny med',
  byCommand: 'Ingen har ännu något annat sätt att logga in än en länk. Skapa en med',
  notSignedIn: 'Inte inloggad',
  tryAgain: 'Försök igen',
  stillYou: 'Är det fortfarande du?',
  proofNeeded: 'Det du vill göra kräver att du har bekräftat din identitet under de senaste tio minuterna.',
  proofNeededAt:
    'Det du vill göra på sidan ”{page}” kräver att du har bekräftat din identitet under de senaste tio minuterna.',
  doAgain:
    'Inget är gjort än. Efteråt är du tillbaka på sidan: gör det en gång till, och skriv in det du hade skrivit.',
  formIsKept: 'Det du fyllde i sparas och skickas så snart du har bekräftat.',
  proved: 'Bekräftat',
  onItsWay: 'Det du fyllde i skickas.',
  sendOn: 'Skicka',
  linkLeadsBack: 'Öppna den i den här webbläsaren, så kommer du tillbaka dit du var.',
  usePasskey: 'Använd en passkey',
  useCode: 'Använd koden',
  companyAgain: 'Logga in igen med företagskonto',
  proofByLink: 'Logga in på nytt med en länk, det räcker som bekräftelse. Den som driver Kassa skapar den med',
  problems: {
    locked:
      'Tio försök har misslyckats. Lösenord och koder för det här kontot godtas inte förrän {time}. En passkey fungerar fortfarande, och en administratör kan låsa upp kontot.',
    wrong: 'Det stämde inte. Varje kod fungerar en gång: vänta på nästa.',
    wait: {
      one: 'För många försök. Kom tillbaka om en minut, eller använd en passkey eller en länk.',
      other: 'För många försök. Kom tillbaka om {count} minuter, eller använd en passkey eller en länk.',
    },
    busy: 'Många loggar in just nu. Försök igen om en stund.',
  },
  company: {
    unverified: 'Företagets inloggning lämnade ingen verifierad e-postadress.',
    stale: 'Företagets inloggning frågade inte vem du är. Logga ut där och försök igen.',
    busy: 'Många loggar in just nu. Försök igen om en stund.',
    failed: 'Företagets inloggning fungerade inte. Försök igen; den som driver Kassa hittar orsaken i loggen.',
    away: 'Företagets inloggning kan inte nås. Försök igen om en stund.',
    untrusted:
      'Svaret från företagets inloggning är inte signerat med någon av dess nycklar och godtogs därför inte. Försök igen; den som driver Kassa hittar orsaken i loggen.',
    keyless:
      'Nycklarna för företagets inloggning kan inte hämtas, så svaret kan inte kontrolleras. Försök igen om en stund.',
    late: 'Det tog för lång tid, eller började i en annan webbläsare. Försök igen.',
    unknown: 'Ingen är känd här som {email}. Be en administratör att bjuda in dig.',
  },
  passkey: {
    wrong: 'Den passkeyn är inte känd här.',
    notAdded: 'Den lades inte till: den finns redan, det tog för lång tid, eller så har du redan tjugo.',
    noSite: 'Passkeys kräver en adress med ett namn: en IP-adress kan inte ha några.',
    failed: 'Det fungerade inte. Försök igen.',
    known: 'Den här enheten har redan en passkey för dig.',
    notUsed: 'Ingen passkey användes. Försök igen när du är redo.',
  },
  secondFactor: {
    title: 'Lägg till en andra faktor',
    needed: '{merchant} kräver en andra faktor. Lägg till en passkey, eller ett lösenord med en autentiseringsapp.',
    nothingElse: 'Till dess öppnas inget annat här.',
    hasOne: 'Du har redan en passkey eller en autentiseringsapp.',
    useIt: 'Använd den',
    byCompany: 'En länk är ingen andra faktor. Logga in via ditt företag.',
    first: 'Lägg till en andra faktor först.',
  },
  proofFirst: 'Bekräfta först att det är du: det är mer än tio minuter sedan sist.',
  signInFirst: 'Logga in först.',
};
