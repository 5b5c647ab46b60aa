// The page of a subscription in French.
import type { SubscriptionPageTexts } from './texts.ts';

export const fr: SubscriptionPageTexts = {
  title: 'Votre abonnement chez {shop}',
  active: 'Actif',
  needsCard: 'Votre banque n’accepte plus cette carte pour lui. La boutique doit vous en demander une autre.',
  agreedHeading: 'Ce que vous avez accepté',
  howOften: 'Fréquence',
  amount: 'Montant',
  until: 'Jusqu’au',
  endedOn: 'Terminé le',
  card: 'Carte',
  agreedOn: 'Accepté le',
  nextCharge: 'Prochain débit au plus tôt',
  chargesHeading: 'Débits jusqu’ici',
  noCharges: 'Rien n’a été débité depuis votre accord.',
  paid: 'Payé à la commande',
  reserved: 'Réservé à la commande',
  charged: 'Débité',
  pending: 'En cours',
  declined: 'Refusé',
  refunded: '{amount} remboursés',
  older: 'Les débits plus anciens ne sont pas affichés.',
  end: 'Mettre fin à l’abonnement',
  confirm: {
    title: 'Mettre fin à votre abonnement chez {shop} ?',
    text: '{shop} ne pourra plus débiter votre carte pour lui ensuite. Un débit en cours sera encore terminé. C’est définitif : il faudrait vous abonner à nouveau.',
  },
  keep: 'Le garder',
  ended: {
    title: 'Votre abonnement a pris fin',
    text: 'Vous y avez mis fin le {date}. {shop} ne peut plus débiter votre carte pour lui.',
  },
  endedByShop: {
    title: 'Votre abonnement a pris fin',
    text: '{shop} y a mis fin le {date} et ne peut plus débiter votre carte pour lui.',
  },
  expired: {
    title: 'Votre abonnement est arrivé à son terme',
    text: 'Il courait jusqu’au {date}. {shop} ne peut plus débiter votre carte pour lui.',
  },
  see: 'Voir votre abonnement ou y mettre fin',
  notFound: {
    title: 'Nous ne trouvons pas cet abonnement',
    text: 'Le lien est peut-être incomplet. Ouvrez-le exactement comme vous l’avez reçu, ou redemandez-le à la boutique.',
  },
  tooMany: {
    title: 'Trop de visites à la fois',
    text: 'Veuillez patienter quelques secondes et réessayer.',
  },
};
