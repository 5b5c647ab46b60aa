// Signing in, by whatever way, and what is told when that cannot be, in French.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const fr: TextsOf<typeof en> = {
  signIn: 'Connexion',
  asEmail: 'En tant que {email}',
  usedUp: 'Ce lien a déjà servi',
  usedUpText:
    'Un lien sert à une seule connexion, pendant quelques jours. Demandez-en un autre ; l’exploitant de Kassa le crée avec',
  linkWaits: 'Ce lien n’est pas encore approuvé',
  linkWaitsText:
    'Il est destiné à quelqu’un qui peut déjà se connecter : un autre administrateur doit l’approuver sur la page Équipe. Rouvrez-le ensuite.',
  anotherWay: 'Se connecter autrement',
  elsewhere: 'Les clés d’accès fonctionnent sur {link}, pas à cette adresse.',
  code: 'Code',
  codeHint: 'Les six chiffres de votre application d’authentification, ou un code de récupération.',
  email: 'E-mail',
  password: 'Mot de passe',
  withPassword: 'Se connecter par mot de passe',
  withCompany: 'Se connecter avec l’entreprise',
  withPasskey: 'Se connecter par clé d’accès',
  noWay: 'Pas encore d’accès, ou accès perdu',
  noWayText: 'Ouvrez le lien que vous avez reçu. L’exploitant de Kassa en crée un avec',
  inTerminal:
    'Ouvrez le lien « Console » qu’affiche le terminal où Kassa a été démarré. S’il a déjà servi, redémarrez Kassa ou créez-en un autre avec',
  byCommand: 'Personne n’a encore d’autre accès qu’un lien. Créez-en un avec',
  notSignedIn: 'Non connecté',
  tryAgain: 'Réessayer',
  stillYou: 'Est-ce toujours vous ?',
  proofNeeded: 'Cette action exige une vérification datant de moins de dix minutes.',
  proofNeededAt:
    'Ce que vous voulez faire sur la page « {page} » exige une vérification datant de moins de dix minutes.',
  doAgain:
    'Rien n’est encore fait. Vous reviendrez ensuite sur cette page : recommencez, et saisissez de nouveau ce que vous aviez saisi.',
  formIsKept: 'Votre saisie est conservée et envoyée dès que vous avez confirmé.',
  proved: 'Confirmé',
  onItsWay: 'Votre saisie est en cours d’envoi.',
  sendOn: 'Envoyer',
  linkLeadsBack: 'Ouvrez-le dans ce navigateur : il vous ramène là où vous étiez.',
  usePasskey: 'Utiliser une clé d’accès',
  useCode: 'Utiliser ce code',
  companyAgain: 'Se reconnecter avec l’entreprise',
  proofByLink: 'Reconnectez-vous avec un lien, qui vaut vérification. L’exploitant de Kassa le crée avec',
  problems: {
    locked:
      'Dix essais ont échoué. Les mots de passe et les codes de ce compte ne sont pas acceptés avant {time}. Une clé d’accès fonctionne toujours, et un administrateur peut déverrouiller le compte.',
    wrong: 'Cela ne correspond pas. Chaque code sert une fois : attendez le suivant.',
    wait: {
      one: 'Trop d’essais. Revenez dans une minute, ou utilisez une clé d’accès ou un lien.',
      other: 'Trop d’essais. Revenez dans {count} minutes, ou utilisez une clé d’accès ou un lien.',
    },
    busy: 'Beaucoup de personnes se connectent. Réessayez dans un instant.',
  },
  company: {
    unverified: 'La connexion de votre entreprise n’a fourni aucune adresse e-mail vérifiée.',
    stale: 'La connexion de votre entreprise n’a pas demandé qui vous êtes. Déconnectez-vous là-bas, puis réessayez.',
    busy: 'Beaucoup de personnes se connectent. Réessayez dans un instant.',
    failed:
      'La connexion de votre entreprise a échoué. Réessayez ; l’exploitant de Kassa en trouve la raison dans le journal.',
    away: 'La connexion de votre entreprise est injoignable. Réessayez dans un instant.',
    untrusted:
      'La réponse de la connexion de votre entreprise n’est signée par aucune de ses clés et n’a donc pas été acceptée. Réessayez ; l’exploitant de Kassa en trouve la raison dans le journal.',
    keyless:
      'Les clés de la connexion de votre entreprise sont injoignables, sa réponse ne peut donc pas être vérifiée. Réessayez dans un instant.',
    late: 'Cela a pris trop de temps, ou a commencé dans un autre navigateur. Réessayez.',
    unknown: 'Personne n’est connu ici sous {email}. Demandez une invitation à un administrateur.',
  },
  passkey: {
    wrong: 'Cette clé d’accès n’est pas connue ici.',
    notAdded: 'Elle n’a pas été ajoutée : elle existe déjà, le délai est dépassé, ou vous en avez vingt.',
    noSite: 'Les clés d’accès exigent une adresse avec un nom : une adresse IP ne peut pas en avoir.',
    failed: 'Cela n’a pas fonctionné. Réessayez.',
    known: 'Cet appareil a déjà une clé d’accès pour vous.',
    notUsed: 'Aucune clé d’accès n’a été utilisée. Réessayez quand vous serez prêt.',
  },
  secondFactor: {
    title: 'Ajouter un second facteur',
    needed:
      '{merchant} exige un second facteur. Ajoutez une clé d’accès, ou un mot de passe avec une application d’authentification.',
    nothingElse: 'D’ici là, rien d’autre ne s’ouvre ici.',
    hasOne: 'Vous avez déjà une clé d’accès ou une application d’authentification.',
    useIt: 'L’utiliser',
    byCompany: 'Un lien seul n’est pas un second facteur. Connectez-vous par votre entreprise.',
    first: 'Ajoutez d’abord un second facteur.',
  },
  proofFirst: 'Prouvez d’abord que c’est vous : la dernière vérification date de plus de dix minutes.',
  signInFirst: 'Connectez-vous d’abord.',
};
