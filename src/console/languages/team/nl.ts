// The people of a merchant and their roles, in Dutch.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const nl: TextsOf<typeof en> = {
  roles: { viewer: 'lezer', operator: 'medewerker', developer: 'ontwikkelaar', admin: 'beheerder' },
  means: {
    viewer: 'bekijkt betalingen en cijfers',
    operator: 'schrijft ook af, betaalt terug en annuleert, en stuurt gebeurtenissen opnieuw',
    developer: 'beheert sleutels en webhooks, verplaatst geen geld',
    admin: 'alles, ook personen en instellingen',
  },
  people: 'Personen',
  person: 'Persoon',
  role: 'Rol',
  you: 'U',
  several: 'Meerdere winkeliers',
  elsewhere: 'Hoort ook bij andere winkeliers',
  since: 'sinds {time}',
  roleOf: 'Rol van {email}',
  newLink: 'Nieuwe link',
  newLinkFor: 'Nieuwe link: {email}',
  locked: 'Wachtwoord vergrendeld tot {time}',
  unlock: 'Ontgrendelen',
  unlockFor: 'Wachtwoord ontgrendelen: {email}',
  removal: '{email} kan voor {merchant} niets meer zien of doen.',
  removePerson: '{email} verwijderen',
  invite: 'Uitnodigen',
  inviteSomebody: 'Iemand uitnodigen',
  email: 'E-mail',
  withLink:
    'Er wordt niets verstuurd. U krijgt een link voor één keer inloggen, binnen drie dagen; geef hem veilig door.',
  withoutLink: 'Er wordt niets verstuurd. De persoon logt in via uw bedrijf.',
  signInLink: 'Inloglink',
  invited: '{email} komt met deze link één keer binnen. Hij wordt alleen nu getoond.',
  invitedWithout: '{email} komt binnen via de inlog van uw bedrijf.',
  linked: '{email} komt met deze link één keer binnen. Hij wordt alleen nu getoond; eerdere links zijn ongeldig.',
  asked:
    '{email} kan al inloggen, dus een andere beheerder moet deze link goedkeuren. Pas dan werkt hij; hij wordt alleen deze keer getoond.',
  onlyAdmin:
    'Deze persoon kan al inloggen, dus twee beheerders moeten akkoord gaan, en er is geen andere. Wie deze Kassa draait, kan een link maken: kassa user link.',
  requests: 'Goed te keuren links',
  requestsMean:
    'Voor mensen die al kunnen inloggen. Wie zo’n link heeft, kan namens hen handelen: vraag hun of ze hem nodig hebben.',
  askedBy: 'Aangevraagd door {by}, {time}',
  approve: 'Goedkeuren',
  approveFor: 'De link voor {email} goedkeuren',
  refuse: 'Weigeren',
  refuseFor: 'De link voor {email} weigeren',
  approved: 'De link voor {email} werkt nu. Zeg het degene die erom vroeg.',
  refused: 'De link voor {email} is geweigerd.',
  requestGone: 'Deze link wacht niet meer op goedkeuring.',
  ownRequest:
    'Een andere beheerder moet hem goedkeuren: niet wie erom vroeg, en niet in een sessie die met zo’n link begon.',
  onlyCompany: 'Personen komen alleen binnen via de inlog van uw bedrijf.',
  lastAdmin: 'Dit is de laatste beheerder: maak eerst iemand anders beheerder, anders kan niemand nog mensen toelaten.',
  noPerson: 'Niemand met die naam hoort nog bij deze winkelier.',
  chooseRole: 'Kies een rol.',
  badEmail: 'Dat is geen e-mailadres.',
  isThere: 'Wie dat adres heeft, hoort al bij deze winkelier. Wijzig de rol in de lijst.',
  tooMany: 'Er zijn al {most} personen, meer kunnen het er niet zijn.',
  noMerchant: 'Deze winkelier bestaat niet meer.',
  isKnown:
    'Wie dat adres heeft, heeft hier al een account, en een uitnodiging zou u dat geven. Wie deze Kassa beheert, kan de persoon toelaten: kassa user create.',
  belongsElsewhere: 'Wie bij meerdere winkeliers hoort, krijgt een link van wie deze Kassa beheert.',
};
