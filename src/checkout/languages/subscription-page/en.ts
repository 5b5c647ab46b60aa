// The page of a subscription in English.
import type { SubscriptionPageTexts } from './texts.ts';

export const en: SubscriptionPageTexts = {
  title: 'Your subscription with {shop}',
  active: 'Active',
  needsCard: 'Your bank no longer accepts this card for it. The shop has to ask you for another one.',
  agreedHeading: 'What you agreed to',
  howOften: 'How often',
  amount: 'Amount',
  until: 'Until',
  endedOn: 'Ended on',
  card: 'Card',
  agreedOn: 'Agreed on',
  nextCharge: 'Earliest next charge',
  chargesHeading: 'Charges so far',
  noCharges: 'Nothing has been charged since you agreed.',
  paid: 'Paid at the checkout',
  reserved: 'Reserved at the checkout',
  charged: 'Charged',
  pending: 'Under way',
  declined: 'Declined',
  refunded: '{amount} refunded',
  older: 'Older charges are not shown.',
  end: 'End subscription',
  confirm: {
    title: 'End your subscription with {shop}?',
    text: '{shop} cannot charge your card for it after that. A charge that is under way is still finished. You cannot undo this; you would have to subscribe again.',
  },
  keep: 'Keep it',
  ended: {
    title: 'Your subscription has ended',
    text: 'You ended it on {date}. {shop} cannot charge your card for it any more.',
  },
  endedByShop: {
    title: 'Your subscription has ended',
    text: '{shop} ended it on {date} and cannot charge your card for it any more.',
  },
  expired: {
    title: 'Your subscription is over',
    text: 'It ran until {date}. {shop} cannot charge your card for it any more.',
  },
  see: 'See or end your subscription',
  notFound: {
    title: 'We cannot find this subscription',
    text: 'The link may be incomplete. Open it exactly as you were given it, or ask the shop for it again.',
  },
  tooMany: {
    title: 'Too many visits at once',
    text: 'Please wait a few seconds and try again.',
  },
};
