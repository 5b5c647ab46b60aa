// The words for a payment of a list: who paid, by what, and how it stands.
import type { Consumer } from '../../domain/consumer.ts';
import { METHODS } from '../../domain/offered-methods.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import type { ListedPayment, Standing } from '../../store/listing/row.ts';
import type { MethodNames } from '../../store/listing/understand.ts';
import { renderBadge } from '../payment/badge.ts';
import type { Badge } from '../payment/badge.ts';
import { consoleTexts } from '../texts.ts';

export function nameOf({ company, person }: Consumer): string | undefined {
  if (company?.name) return company.name;
  const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ');
  return name === '' ? undefined : name;
}

export const lastFourOf = (method: PaymentMethod | undefined): string | undefined => method?.maskedPan?.slice(-4);

export function methodNameOf(method: string, language: Language): string {
  if (method === 'EasyInvoice') return consoleTexts(language).payment.invoice;
  return method === 'MasterCard' ? 'Mastercard' : method;
}

/** As lists of methods and of payments call them, in the language of who looks and in English. */
export const methodNamesIn = (language: Language): MethodNames => [
  ...[language, 'en' as const].flatMap((each) => METHODS.map(({ name }) => [methodNameOf(name, each), name] as const)),
  [consoleTexts(language).list.anyCard, 'CARD'],
  ['card', 'CARD'],
];

/** The colour of each standing, wherever it is said. */
export const STANDING_TONES: Readonly<Record<Standing, Badge['tone']>> = {
  created: 'neutral',
  pending: 'wait',
  reserved: 'wait',
  'partly charged': 'good',
  charged: 'good',
  'partly refunded': 'neutral',
  refunded: 'neutral',
  cancelled: 'neutral',
  terminated: 'neutral',
  expired: 'neutral',
  'card saved': 'good',
};

/** What was refunded, and what there is still to charge, are both said. */
function standingsOf({ standing, reserved, charged, cancelled }: ListedPayment): readonly Standing[] {
  const isRefunded = standing === 'refunded' || standing === 'partly refunded';
  return isRefunded && charged + cancelled < reserved ? ['partly charged', standing] : [standing];
}

export const standingBadges = (payment: ListedPayment, language: Language): readonly Html[] =>
  standingsOf(payment).map((standing) =>
    renderBadge({ text: consoleTexts(language).payment.standings[standing], tone: STANDING_TONES[standing] }),
  );
