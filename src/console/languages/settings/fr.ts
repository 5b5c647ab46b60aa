// The settings of a merchant, in French.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const fr: TextsOf<typeof en> = {
  merchant: 'Marchand',
  mode: 'Mode',
  live: 'production',
  test: 'test',
  forGood: 'Définitif.',
  name: 'Nom',
  dialect: 'Dialecte',
  strictItems: 'Articles stricts',
  reserveOnDemand: 'Réserver à la demande',
  refundProof: 'Remboursements à vérifier',
  refundProofLabel: 'Vérifier les remboursements au-dessus de ces montants',
  colour: 'Couleur',
  acquirer: 'Acquéreur',
  means: {
    name: 'Montré aux clients dans le checkout et sur les factures.',
    dialect: 'Comment l’API écrit ses réponses : spec, ou nexi pour les programmes conçus pour un autre service.',
    strictItems: 'Débits, remboursements et annulations ne peuvent citer que des articles encore disponibles.',
    reserveOnDemand: 'Débiter ou annuler un paiement non payé le réserve d’abord. Marchands de test seulement.',
    colour: 'Des boutons du checkout, en six chiffres hexadécimaux. Vide : la couleur habituelle.',
    refundProof:
      'Un remboursement qui porte le total remboursé d’un paiement au-dessus du montant de sa devise exige une clé d’accès ou un code ; dans une devise sans montant, chacun l’exige. Vide : aucun.',
    acquirer: 'Où se font les nouvelles réservations. Défini par l’exploitant de Kassa : kassa merchant update.',
    seller: 'Sur les factures ; défini par kassa merchant update.',
  },
  seller: 'Vendeur : {field}',
  yes: 'oui',
  no: 'non',
  change: 'Modifier',
  badName: 'Donnez un nom.',
  badDialect: 'Choisissez un dialecte.',
  badColour: 'La couleur doit compter six chiffres hexadécimaux, par exemple #0b6e4f.',
  badRefundProof: 'Écrivez des montants avec leur devise, un par devise : 5000 SEK, 500 EUR.',
  conflict: 'Incompatible : seul un marchand de test du simulateur réserve à la demande.',
};
