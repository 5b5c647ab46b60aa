// The words for a payment of a list: who paid, by what, and how it stands.
import type { Consumer } from '../../domain/consumer.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Standing } from '../../store/listing/row.ts';

export function nameOf({ company, person }: Consumer): string | undefined {
  if (company?.name) return company.name;
  const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ');
  return name === '' ? undefined : name;
}

export const lastFourOf = (method: PaymentMethod | undefined): string | undefined => method?.maskedPan?.slice(-4);

const METHOD_NAMES: Readonly<Record<string, string>> = { MasterCard: 'Mastercard', EasyInvoice: 'Invoice' };

export const methodNameOf = (method: string): string => METHOD_NAMES[method] ?? method;

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

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const standingBadge = (standing: Standing): Html =>
  html`<span class="badge ${KINDS[standing]}">${capital(standing)}</span>`;
