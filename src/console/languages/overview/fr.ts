// The overview, in French.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const fr: TextsOf<typeof en> = {
  orMore: '{count} ou plus',
  longPending: {
    one: '{number} résultat est inconnu depuis plus de dix minutes. Kassa continue d’interroger l’acquéreur ; rien n’est perdu et rien n’est fait deux fois.',
    other:
      '{number} résultats sont inconnus depuis plus de dix minutes. Kassa continue d’interroger l’acquéreur ; rien n’est perdu et rien n’est fait deux fois.',
  },
  expiring: {
    one: '{number} réservation expire dans les {days} jours : {link}.',
    other: '{number} réservations expirent dans les {days} jours : {link}.',
  },
  expiringLink: 'débiter ou annuler le reste',
  failing: {
    one: '{number} webhook échoue en ce moment ; les événements sont retentés pendant trois jours.',
    other: '{number} webhooks échouent en ce moment ; les événements sont retentés pendant trois jours.',
  },
  disabled: {
    one: '{number} webhook est désactivé à cause d’échecs.',
    other: '{number} webhooks sont désactivés à cause d’échecs.',
  },
  differences: {
    one: '{number} écart entre vos livres et ceux de {acquirer}, trouvé le {time}. Examinez-le et demandez à l’acquéreur ce qu’il en a ; {command} liste le tout.',
    other:
      '{number} écarts entre vos livres et ceux de {acquirer}, trouvés le {time}. Examinez ces paiements et demandez à l’acquéreur ce qu’il en a ; {command} liste le tout.',
  },
  nothing: 'Rien à signaler.',
  attention: 'À surveiller',
  charged: 'Débité',
  refunded: 'Remboursé',
  net: 'Net',
  accepted: 'Acceptés',
  averageOrder: 'Panier moyen',
  charges: { one: '{count} débit', other: '{count} débits' },
  refunds: { one: '{count} remboursement', other: '{count} remboursements' },
  netHint: 'débité moins remboursé',
  tries: '{accepted} sur {tried} tentatives de paiement',
  averageHint: 'de ce qui a été réservé',
  byDay: 'Par jour',
  chart: 'Débité et remboursé en {currency} pour chacun des {days} jours ; le tableau dit la même chose.',
  bar: '{day} : {charged} débités, {refunded} remboursés',
  chargedKey: 'débité',
  refundedKey: 'remboursé',
  showFigures: 'Afficher les chiffres',
  none: 'Rien n’a été débité ni remboursé en {currency} pendant ces {days} jours',
  noneReserved: 'Ce qui est réservé attend d’être débité.',
  showReserved: 'Montrer ce qui est réservé',
  noneYet:
    'Chaque jour reçoit une barre dès qu’un paiement est débité : ici à la main, par l’API, ou aussitôt que le client paie.',
  longer: 'Regarder {days} jours',
  day: 'Jour (UTC)',
  other: 'Autre',
  more: { one: 'et {count} autre', other: 'et {count} autres' },
  currency: 'Devise',
  period: 'Période',
  days: { one: '{count} jour', other: '{count} jours' },
  behind: 'Beaucoup de nouveautés : une partie des dernières minutes n’est pas encore dans ces chiffres.',
  methods: 'Moyens de paiement',
  declines: 'Motifs de refus',
  noMethods: 'Rien n’a été débité sur cette période.',
  noDeclines: 'Rien n’a été refusé sur cette période.',
  foot: 'Les jours sont en UTC. Un mouvement compte pour le jour où il a été demandé.',
};
