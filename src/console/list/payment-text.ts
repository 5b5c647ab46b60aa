// The words for a payment of a list: who paid, by what, and how it stands.
import type { Consumer } from '../../domain/consumer.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import type { Standing } from '../../store/listing/row.ts';
import { paymentTexts } from '../languages/payment.ts';

export function nameOf({ company, person }: Consumer): string | undefined {
  if (company?.name) return company.name;
  const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ');
  return name === '' ? undefined : name;
}

export const lastFourOf = (method: PaymentMethod | undefined): string | undefined => method?.maskedPan?.slice(-4);

export function methodNameOf(method: string, language: Language): string {
  if (method === 'EasyInvoice') return paymentTexts(language).invoice;
  return method === 'MasterCard' ? 'Mastercard' : method;
}

const KINDS: Readonly<Record<Standing, 'good' | 'wait' | 'neutral'>> = {
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

export const standingBadge = (standing: Standing, language: Language): Html =>
  html`<span class="badge ${KINDS[standing]}">${paymentTexts(language).standings[standing]}</span>`;
