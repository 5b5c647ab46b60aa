// The people of a merchant and their roles, in French.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const fr: TextsOf<typeof en> = {
  roles: { viewer: 'lecteur', operator: 'opérateur', developer: 'développeur', admin: 'administrateur' },
  means: {
    viewer: 'consulte les paiements et les chiffres',
    operator: 'peut aussi débiter, rembourser et annuler, et renvoyer des événements',
    developer: 'gère les clés et les webhooks, ne touche pas à l’argent',
    admin: 'tout, y compris les personnes et les paramètres',
  },
  people: 'Personnes',
  person: 'Personne',
  role: 'Rôle',
  you: 'Vous',
  several: 'Plusieurs marchands',
  elsewhere: 'Appartient aussi à d’autres marchands',
  since: 'depuis {time}',
  roleOf: 'Rôle de {email}',
  newLink: 'Nouveau lien',
  newLinkFor: 'Nouveau lien: {email}',
  locked: 'Mot de passe verrouillé jusqu’à {time}',
  unlock: 'Déverrouiller',
  unlockFor: 'Déverrouiller le mot de passe: {email}',
  removal: '{email} ne pourra plus rien voir ni faire pour {merchant}.',
  removePerson: 'Retirer {email}',
  invite: 'Inviter',
  inviteSomebody: 'Inviter quelqu’un',
  email: 'E-mail',
  withLink:
    'Rien n’est envoyé. Vous obtenez un lien valable une fois, pendant trois jours ; transmettez-le en toute sécurité.',
  withoutLink: 'Rien n’est envoyé. La personne utilise la connexion de l’entreprise.',
  signInLink: 'Lien de connexion',
  invited: '{email} peut entrer une fois avec ce lien. Il n’est affiché que maintenant.',
  invitedWithout: '{email} entre avec la connexion de l’entreprise.',
  linked: '{email} peut entrer une fois avec ce lien. Il n’est affiché que maintenant ; les précédents ne valent plus.',
  asked:
    '{email} peut déjà se connecter : un autre administrateur doit donc approuver ce lien. Il ne fonctionne qu’ensuite, et n’est affiché que cette fois.',
  onlyAdmin:
    'Cette personne peut déjà se connecter : deux administrateurs doivent être d’accord, et il n’y en a pas d’autre. L’exploitant de Kassa peut créer un lien : kassa user link.',
  requests: 'Liens à approuver',
  requestsMean:
    'Pour des personnes qui peuvent déjà se connecter. Qui a un tel lien peut agir en leur nom : demandez-leur si elles en ont besoin.',
  askedBy: 'Demandé par {by}, {time}',
  approve: 'Approuver',
  approveFor: 'Approuver le lien pour {email}',
  refuse: 'Refuser',
  refuseFor: 'Refuser le lien pour {email}',
  approved: 'Le lien pour {email} fonctionne maintenant. Prévenez la personne qui l’a demandé.',
  refused: 'Le lien pour {email} a été refusé.',
  requestGone: 'Ce lien n’attend plus d’approbation.',
  ownRequest:
    'Un autre administrateur doit l’approuver : ni la personne qui l’a demandé, ni dans une session ouverte par un tel lien.',
  onlyCompany: 'On n’entre qu’avec la connexion de l’entreprise.',
  lastAdmin: 'C’est le dernier administrateur : nommez-en d’abord un autre, sinon plus personne ne pourrait inviter.',
  noPerson: 'Plus personne de ce nom n’appartient à ce marchand.',
  chooseRole: 'Choisissez un rôle.',
  badEmail: 'Ce n’est pas une adresse e-mail.',
  isThere: 'Cette adresse appartient déjà à ce marchand. Changez le rôle dans la liste.',
  tooMany: 'Il y a déjà {most} personnes, le maximum possible.',
  noMerchant: 'Ce marchand n’existe plus.',
  isKnown:
    'Cette adresse a déjà un compte ici, et une invitation vous le livrerait. L’exploitant de Kassa peut donner l’accès : kassa user create.',
  belongsElsewhere: 'Qui appartient à plusieurs marchands reçoit un lien de l’exploitant de Kassa.',
};
