// Signing in, by whatever way, and what is told when that cannot be, in Dutch.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const nl: TextsOf<typeof en> = {
  signIn: 'Inloggen',
  asEmail: 'Als {email}',
  usedUp: 'Deze link is gebruikt',
  usedUpText:
    'Een link werkt voor één keer inloggen, en enkele dagen lang. Vraag om een nieuwe; wie deze Kassa beheert, maakt die met',
  linkWaits: 'Deze link is nog niet goedgekeurd',
  linkWaitsText:
    'Hij is voor iemand die al kan inloggen, dus een andere beheerder moet hem goedkeuren op de pagina Team. Open hem daarna opnieuw.',
  anotherWay: 'Op een andere manier inloggen',
  elsewhere: 'Passkeys werken op {link}, niet op dit adres.',
  code: 'Code',
  codeHint: 'Zes cijfers van uw authenticator-app, of een herstelcode.',
  email: 'E-mail',
  password: 'Wachtwoord',
  withPassword: 'Inloggen met wachtwoord',
  withCompany: 'Inloggen via uw bedrijf',
  withPasskey: 'Inloggen met een passkey',
  noWay: 'Nog geen toegang, of kwijtgeraakt',
  noWayText: 'Open de link die u hebt gekregen. Wie deze Kassa beheert, maakt er een met',
  inTerminal:
    'Open de link ‘Console’ die de terminal toont waarin Kassa is gestart. Is die al gebruikt, start Kassa dan opnieuw of maak een andere met',
  byCommand: 'Niemand heeft nog een andere toegang dan een link. Maak er een met',
  notSignedIn: 'Niet ingelogd',
  tryAgain: 'Opnieuw proberen',
  stillYou: 'Bent u het nog?',
  proofNeeded: 'Hiervoor moet u zich in de afgelopen tien minuten hebben geïdentificeerd.',
  proofNeededAt:
    'Voor wat u op de pagina ‘{page}’ wilt doen, moet u zich in de afgelopen tien minuten hebben geïdentificeerd.',
  doAgain:
    'Er is nog niets gedaan. Daarna bent u terug op die pagina: doe het nog een keer en typ opnieuw wat u had getypt.',
  formIsKept: 'Wat u hebt ingevuld, blijft bewaard en wordt verzonden zodra u hebt bevestigd.',
  proved: 'Bevestigd',
  onItsWay: 'Wat u hebt ingevuld, wordt verzonden.',
  sendOn: 'Verzenden',
  linkLeadsBack: 'Open hem in deze browser, dan komt u terug waar u was.',
  usePasskey: 'Een passkey gebruiken',
  useCode: 'Deze code gebruiken',
  companyAgain: 'Opnieuw inloggen via uw bedrijf',
  proofByLink: 'Log opnieuw in met een link, dat geldt als bewijs. Wie deze Kassa beheert, maakt die met',
  problems: {
    locked:
      'Tien pogingen zijn mislukt. Wachtwoorden en codes van dit account worden tot {time} niet aanvaard. Een passkey werkt nog steeds, en een beheerder kan het account ontgrendelen.',
    wrong: 'Dat klopte niet. Elke code werkt één keer: wacht op de volgende.',
    wait: {
      one: 'Te veel pogingen. Kom over een minuut terug, of gebruik een passkey of een link.',
      other: 'Te veel pogingen. Kom over {count} minuten terug, of gebruik een passkey of een link.',
    },
    busy: 'Er loggen nu veel mensen in. Probeer het zo meteen opnieuw.',
  },
  company: {
    unverified: 'De inlog van uw bedrijf gaf geen geverifieerd e-mailadres.',
    stale: 'De inlog van uw bedrijf heeft niet gevraagd wie u bent. Log daar uit en probeer het opnieuw.',
    busy: 'Er loggen nu veel mensen in. Probeer het zo meteen opnieuw.',
    failed:
      'De inlog van uw bedrijf werkte niet. Probeer het opnieuw; wie deze Kassa beheert, vindt de reden in het logboek.',
    away: 'De inlog van uw bedrijf is niet bereikbaar. Probeer het zo meteen opnieuw.',
    untrusted:
      'Het antwoord van de inlog van uw bedrijf is niet met een van zijn sleutels ondertekend en is daarom niet aanvaard. Probeer het opnieuw; wie deze Kassa beheert, vindt de reden in het logboek.',
    keyless:
      'De sleutels van de inlog van uw bedrijf kunnen niet worden opgehaald, dus het antwoord kan niet worden gecontroleerd. Probeer het zo meteen opnieuw.',
    late: 'Dit duurde te lang, of begon in een andere browser. Probeer het opnieuw.',
    unknown: 'Niemand is hier bekend als {email}. Vraag een beheerder om u uit te nodigen.',
  },
  passkey: {
    wrong: 'Deze passkey is hier niet bekend.',
    notAdded: 'Hij is niet toegevoegd: hij is al bekend, het duurde te lang, of u hebt er al twintig.',
    noSite: 'Passkeys hebben een adres met een naam nodig: een IP-adres kan er geen hebben.',
    failed: 'Dat werkte niet. Probeer het opnieuw.',
    known: 'Dit apparaat heeft al een passkey voor u.',
    notUsed: 'Er is geen passkey gebruikt. Probeer het opnieuw als u zover bent.',
  },
  secondFactor: {
    title: 'Tweede factor instellen',
    needed: '{merchant} vereist een tweede factor. Voeg een passkey toe, of een wachtwoord met een authenticator-app.',
    nothingElse: 'Tot dan gaat hier niets anders open.',
    hasOne: 'U hebt al een passkey of een authenticator-app.',
    useIt: 'Gebruiken',
    byCompany: 'Een link alleen is geen tweede factor. Log in via uw bedrijf.',
    first: 'Stel eerst een tweede factor in.',
  },
  proofFirst: 'Laat eerst zien dat u het bent: de vorige keer is meer dan tien minuten geleden.',
  signInFirst: 'Log eerst in.',
};
