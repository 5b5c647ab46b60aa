// The people of a merchant and their roles, in German.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const de: TextsOf<typeof en> = {
  roles: { viewer: 'Betrachter', operator: 'Sachbearbeiter', developer: 'Entwickler', admin: 'Administrator' },
  means: {
    viewer: 'sieht Zahlungen und Zahlen',
    operator: 'zieht außerdem ein, erstattet und storniert und sendet Ereignisse erneut',
    developer: 'verwaltet Schlüssel und Webhooks, bewegt kein Geld',
    admin: 'alles, auch Personen und Einstellungen',
  },
  people: 'Personen',
  person: 'Person',
  role: 'Rolle',
  you: 'Sie',
  several: 'Mehrere Händler',
  elsewhere: 'Gehört auch zu anderen Händlern',
  since: 'seit {time}',
  roleOf: 'Rolle von {email}',
  newLink: 'Neuer Link',
  newLinkFor: 'Neuer Link: {email}',
  locked: 'Passwort gesperrt bis {time}',
  unlock: 'Entsperren',
  unlockFor: 'Passwort entsperren: {email}',
  removal: '{email} kann für {merchant} nichts mehr sehen oder tun.',
  removePerson: '{email} entfernen',
  invite: 'Einladen',
  inviteSomebody: 'Jemanden einladen',
  email: 'E-Mail',
  withLink:
    'Es wird nichts verschickt. Sie erhalten einen Link für eine Anmeldung innerhalb von drei Tagen; übergeben Sie ihn sicher.',
  withoutLink: 'Es wird nichts verschickt. Die Person meldet sich mit der Anmeldung Ihrer Firma an.',
  signInLink: 'Anmeldelink',
  invited: '{email} kommt mit diesem Link einmal herein. Er wird nur jetzt gezeigt.',
  invitedWithout: '{email} kommt mit der Anmeldung Ihrer Firma herein.',
  linked: '{email} kommt mit diesem Link einmal herein. Er wird nur jetzt gezeigt; frühere Links gelten nicht mehr.',
  asked:
    '{email} kann sich schon anmelden, daher muss ein weiterer Administrator diesen Link freigeben. Erst dann gilt er; er wird nur dieses eine Mal gezeigt.',
  onlyAdmin:
    'Diese Person kann sich schon anmelden, daher müssen zwei Administratoren zustimmen, und es gibt keinen weiteren. Der Betreiber dieses Kassa kann einen Link machen: kassa user link.',
  requests: 'Links zur Freigabe',
  requestsMean:
    'Für Personen, die sich schon anmelden können. Wer einen solchen Link hat, kann in ihrem Namen handeln: Fragen Sie nach, ob sie ihn brauchen.',
  askedBy: 'Angefragt von {by}, {time}',
  approve: 'Freigeben',
  approveFor: 'Link für {email} freigeben',
  refuse: 'Ablehnen',
  refuseFor: 'Link für {email} ablehnen',
  approved: 'Der Link für {email} gilt jetzt. Sagen Sie es der Person, die ihn angefragt hat.',
  refused: 'Der Link für {email} wurde abgelehnt.',
  requestGone: 'Dieser Link wartet nicht mehr auf eine Freigabe.',
  ownRequest:
    'Ein anderer Administrator muss ihn freigeben: nicht, wer ihn angefragt hat, und nicht in einer Sitzung, die mit einem solchen Link begann.',
  onlyCompany: 'Personen kommen nur mit der Anmeldung Ihrer Firma herein.',
  lastAdmin:
    'Das ist der letzte Administrator: Ernennen Sie zuerst einen anderen, sonst könnte niemand mehr Personen einlassen.',
  noPerson: 'Niemand dieses Namens gehört noch zu diesem Händler.',
  chooseRole: 'Wählen Sie eine Rolle.',
  badEmail: 'Das ist keine E-Mail-Adresse.',
  isThere: 'Wer diese Adresse hat, gehört schon zu diesem Händler. Ändern Sie die Rolle in der Liste.',
  tooMany: 'Es gibt schon {most} Personen, mehr können es nicht sein.',
  noMerchant: 'Diesen Händler gibt es nicht mehr.',
  isKnown:
    'Wer diese Adresse hat, hat hier schon ein Konto, und eine Einladung würde es Ihnen übergeben. Der Betreiber dieses Kassa kann die Person einlassen: kassa user create.',
  belongsElsewhere: 'Wer zu mehreren Händlern gehört, bekommt einen Link vom Betreiber dieses Kassa.',
};
