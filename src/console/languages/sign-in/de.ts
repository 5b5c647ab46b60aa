// Signing in, by whatever way, and what is told when that cannot be, in German.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const de: TextsOf<typeof en> = {
  signIn: 'Anmelden',
  asEmail: 'Als {email}',
  usedUp: 'Dieser Link ist verbraucht',
  usedUpText:
    'Ein Link gilt für eine Anmeldung und einige Tage. Bitten Sie um einen neuen; wer dieses Kassa betreibt, erstellt ihn mit',
  linkWaits: 'Dieser Link ist noch nicht freigegeben',
  linkWaitsText:
    'Er ist für jemanden, der sich schon anmelden kann. Daher muss ihn ein weiterer Administrator auf der Seite Team freigeben. Öffnen Sie ihn danach noch einmal.',
  anotherWay: 'Auf andere Weise anmelden',
  elsewhere: 'Passkeys funktionieren unter {link}, nicht unter dieser Adresse.',
  code: 'Code',
  codeHint: 'Sechs Ziffern Ihrer Authenticator-App oder ein Wiederherstellungscode.',
  email: 'E-Mail',
  password: 'Passwort',
  withPassword: 'Mit Passwort anmelden',
  withCompany: 'Mit Firmenkonto anmelden',
  withPasskey: 'Mit Passkey anmelden',
  noWay: 'Noch kein Zugang, oder verloren',
  noWayText: 'Öffnen Sie den Link, den Sie bekommen haben. Wer dieses Kassa betreibt, erstellt einen mit',
  inTerminal:
    'Öffnen Sie den Link „Console“, den das Terminal zeigt, in dem Kassa gestartet wurde. Ist er verbraucht, starten Sie Kassa neu, oder erstellen Sie einen neuen mit',
  byCommand: 'Noch hat niemand einen anderen Zugang als einen Link. Erstellen Sie einen mit',
  notSignedIn: 'Nicht angemeldet',
  tryAgain: 'Erneut versuchen',
  stillYou: 'Sind Sie es noch?',
  proofNeeded: 'Dafür müssen Sie sich in den letzten zehn Minuten ausgewiesen haben.',
  proofNeededAt:
    'Was Sie auf der Seite „{page}“ tun wollen, setzt voraus, dass Sie sich in den letzten zehn Minuten ausgewiesen haben.',
  doAgain:
    'Noch ist nichts geschehen. Danach sind Sie zurück auf der Seite: Tun Sie es noch einmal, und geben Sie erneut ein, was Sie eingegeben hatten.',
  formIsKept: 'Ihre Eingaben bleiben erhalten und werden gesendet, sobald Sie bestätigt haben.',
  proved: 'Bestätigt',
  onItsWay: 'Ihre Eingaben werden gesendet.',
  sendOn: 'Senden',
  linkLeadsBack: 'Öffnen Sie ihn in diesem Browser, dann führt er Sie dorthin zurück, wo Sie waren.',
  usePasskey: 'Passkey verwenden',
  useCode: 'Code verwenden',
  companyAgain: 'Erneut mit Firmenkonto anmelden',
  proofByLink:
    'Melden Sie sich neu mit einem Link an, das genügt als Nachweis. Wer dieses Kassa betreibt, erstellt ihn mit',
  problems: {
    locked:
      'Zehn Versuche sind fehlgeschlagen. Passwörter und Codes dieses Kontos werden bis {time} nicht angenommen. Ein Passkey funktioniert weiterhin, und ein Administrator kann das Konto entsperren.',
    wrong: 'Das stimmte nicht überein. Jeder Code gilt einmal: Warten Sie auf den nächsten.',
    wait: {
      one: 'Zu viele Versuche. Kommen Sie in einer Minute wieder, oder verwenden Sie einen Passkey oder einen Link.',
      other:
        'Zu viele Versuche. Kommen Sie in {count} Minuten wieder, oder verwenden Sie einen Passkey oder einen Link.',
    },
    busy: 'Gerade melden sich viele an. Versuchen Sie es gleich noch einmal.',
  },
  company: {
    unverified: 'Die Anmeldung Ihrer Firma hat keine bestätigte E-Mail-Adresse übermittelt.',
    stale:
      'Die Anmeldung Ihrer Firma hat nicht gefragt, wer Sie sind. Melden Sie sich dort ab und versuchen Sie es erneut.',
    busy: 'Gerade melden sich viele an. Versuchen Sie es gleich noch einmal.',
    failed:
      'Die Anmeldung Ihrer Firma hat nicht funktioniert. Versuchen Sie es erneut; wer dieses Kassa betreibt, findet den Grund im Log.',
    away: 'Die Anmeldung Ihrer Firma ist nicht erreichbar. Versuchen Sie es gleich noch einmal.',
    untrusted:
      'Die Antwort der Anmeldung Ihrer Firma ist mit keinem ihrer Schlüssel signiert und wurde deshalb nicht angenommen. Versuchen Sie es erneut; wer dieses Kassa betreibt, findet den Grund im Log.',
    keyless:
      'Die Schlüssel der Anmeldung Ihrer Firma sind nicht abrufbar, daher kann ihre Antwort nicht geprüft werden. Versuchen Sie es gleich noch einmal.',
    late: 'Das hat zu lange gedauert oder begann in einem anderen Browser. Versuchen Sie es erneut.',
    unknown: 'Hier ist niemand als {email} bekannt. Bitten Sie einen Administrator um eine Einladung.',
  },
  passkey: {
    wrong: 'Dieser Passkey ist hier nicht bekannt.',
    notAdded:
      'Er wurde nicht hinzugefügt: Er ist schon bekannt, es hat zu lange gedauert, oder Sie haben schon zwanzig.',
    noSite: 'Passkeys brauchen eine Adresse mit Namen: Für eine IP-Adresse gibt es keine.',
    failed: 'Das hat nicht funktioniert. Versuchen Sie es erneut.',
    known: 'Dieses Gerät hat schon einen Passkey für Sie.',
    notUsed: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, wenn Sie so weit sind.',
  },
  secondFactor: {
    title: 'Zweiten Faktor einrichten',
    needed:
      '{merchant} verlangt einen zweiten Faktor. Fügen Sie einen Passkey hinzu, oder ein Passwort mit einer Authenticator-App.',
    nothingElse: 'Bis dahin öffnet sich hier nichts anderes.',
    hasOne: 'Sie haben schon einen Passkey oder eine Authenticator-App.',
    useIt: 'Verwenden',
    byCompany: 'Ein Link allein ist kein zweiter Faktor. Melden Sie sich über Ihr Unternehmen an.',
    first: 'Richten Sie zuerst einen zweiten Faktor ein.',
  },
  proofFirst: 'Weisen Sie sich zuerst aus: Das letzte Mal ist mehr als zehn Minuten her.',
  signInFirst: 'Melden Sie sich zuerst an.',
};
