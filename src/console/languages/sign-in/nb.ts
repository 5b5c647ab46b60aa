// Signing in, by whatever way, and what is told when that cannot be, in Norwegian.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const nb: TextsOf<typeof en> = {
  signIn: 'Logg inn',
  asEmail: 'Som {email}',
  usedUp: 'Lenken er brukt opp',
  usedUpText: 'En lenke gjelder for én innlogging og i noen dager. Be om en ny; den som drifter Kassa, lager den med',
  linkWaits: 'Lenken er ikke godkjent ennå',
  linkWaitsText:
    'Den er for noen som allerede kan logge inn, så en annen administrator må godkjenne den på siden Team. Åpne den igjen etterpå.',
  anotherWay: 'Logg inn på en annen måte',
  elsewhere: 'Passnøkler virker på {link}, ikke på denne adressen.',
  code: 'Kode',
  codeHint: 'Seks sifre fra autentiseringsappen, eller en gjenopprettingskode.',
  email: 'E-post',
  password: 'Passord',
  withPassword: 'Logg inn med passord',
  withCompany: 'Logg inn med bedriftskonto',
  withPasskey: 'Logg inn med passnøkkel',
  noWay: 'Ingen innlogging ennå, eller mistet den',
  noWayText: 'Åpne lenken du har fått. Den som drifter Kassa, lager en med',
  inTerminal:
    'Åpne lenken «Console» som vises i terminalen der Kassa ble startet. Er den brukt opp, start Kassa på nytt eller lag en ny med',
  byCommand: 'Ingen har ennå noen annen måte å logge inn på enn en lenke. Lag en med',
  notSignedIn: 'Ikke logget inn',
  tryAgain: 'Prøv igjen',
  stillYou: 'Er det fortsatt deg?',
  proofNeeded: 'Det du vil gjøre, krever at du har bekreftet hvem du er i løpet av de siste ti minuttene.',
  proofNeededAt:
    'Det du vil gjøre på siden «{page}», krever at du har bekreftet hvem du er i løpet av de siste ti minuttene.',
  doAgain:
    'Ingenting er gjort ennå. Etterpå er du tilbake på siden: gjør det en gang til, og skriv inn igjen det du hadde skrevet.',
  formIsKept: 'Det du fylte ut, beholdes og sendes så snart du har bekreftet.',
  proved: 'Bekreftet',
  onItsWay: 'Det du fylte ut, sendes.',
  sendOn: 'Send',
  linkLeadsBack: 'Åpne den i denne nettleseren, så kommer du tilbake dit du var.',
  usePasskey: 'Bruk en passnøkkel',
  useCode: 'Bruk koden',
  companyAgain: 'Logg inn på nytt med bedriftskonto',
  proofByLink: 'Logg inn på nytt med en lenke, det holder som bekreftelse. Den som drifter Kassa, lager den med',
  problems: {
    locked:
      'Ti forsøk har mislyktes. Passord og koder for denne kontoen godtas ikke før {time}. En passnøkkel virker fortsatt, og en administrator kan låse opp kontoen.',
    wrong: 'Det stemte ikke. Hver kode virker én gang: vent på den neste.',
    wait: {
      one: 'For mange forsøk. Kom tilbake om et minutt, eller bruk en passnøkkel eller en lenke.',
      other: 'For mange forsøk. Kom tilbake om {count} minutter, eller bruk en passnøkkel eller en lenke.',
    },
    busy: 'Mange logger inn akkurat nå. Prøv igjen om litt.',
  },
  company: {
    unverified: 'Bedriftens innlogging oppga ingen bekreftet e-postadresse.',
    stale: 'Bedriftens innlogging spurte ikke hvem du er. Logg ut der, og prøv igjen.',
    busy: 'Mange logger inn akkurat nå. Prøv igjen om litt.',
    failed: 'Bedriftens innlogging virket ikke. Prøv igjen; den som drifter Kassa, finner årsaken i loggen.',
    away: 'Bedriftens innlogging kan ikke nås. Prøv igjen om litt.',
    untrusted:
      'Svaret fra bedriftens innlogging er ikke signert med en av nøklene dens og ble derfor ikke godtatt. Prøv igjen; den som drifter Kassa, finner årsaken i loggen.',
    keyless: 'Nøklene til bedriftens innlogging kan ikke hentes, så svaret kan ikke kontrolleres. Prøv igjen om litt.',
    late: 'Det tok for lang tid, eller begynte i en annen nettleser. Prøv igjen.',
    unknown: 'Ingen er kjent her som {email}. Be en administrator om å invitere deg.',
  },
  passkey: {
    wrong: 'Passnøkkelen er ikke kjent her.',
    notAdded: 'Den ble ikke lagt til: den finnes allerede, det tok for lang tid, eller du har tjue fra før.',
    noSite: 'Passnøkler krever en adresse med et navn: en IP-adresse kan ikke ha noen.',
    failed: 'Det virket ikke. Prøv igjen.',
    known: 'Denne enheten har allerede en passnøkkel for deg.',
    notUsed: 'Ingen passnøkkel ble brukt. Prøv igjen når du er klar.',
  },
  secondFactor: {
    title: 'Legg til en andre faktor',
    needed: '{merchant} krever en andre faktor. Legg til en passnøkkel, eller et passord med en autentiseringsapp.',
    nothingElse: 'Inntil da åpnes ikke noe annet her.',
    hasOne: 'Du har allerede en passnøkkel eller en autentiseringsapp.',
    useIt: 'Bruk den',
    byCompany: 'En lenke alene er ingen andre faktor. Logg inn via bedriften din.',
    first: 'Legg til en andre faktor først.',
  },
  proofFirst: 'Bekreft først at det er deg: det er mer enn ti minutter siden sist.',
  signInFirst: 'Logg inn først.',
};
