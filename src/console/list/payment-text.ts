// The words for a payment of a list: who paid, and by what.
import type { Consumer } from '../../domain/consumer.ts';
import { METHODS } from '../../domain/offered-methods.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import type { Language } from '../../pages/language.ts';
import type { MethodNames } from '../../store/lists/listing/understand.ts';
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
