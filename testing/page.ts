// Paying in a browser, on the page that the shop has opened: with a page or frame of Playwright, or whatever is like it.
import { cards } from './cards.ts';
import { ADA, expiryYear } from './consumer.ts';

/** As much of Playwright's Locator as is needed. */
type LocatorLike = {
  fill(text: string): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  click(): Promise<void>;
  isVisible(): Promise<boolean>;
  waitFor(): Promise<void>;
  contentFrame(): { locator(selector: string): LocatorLike };
};

/** A page, a frame, or a frame locator. */
export type PageLike = { locator(selector: string): unknown };

export type PayOnPageOptions = {
  readonly card?: string | undefined;
  /** What they do when their bank asks (3-D Secure): `pass` by default. Only with a card that asks. */
  readonly challenge?: 'pass' | 'fail' | undefined;
  /** Values by the names of the page's fields, such as `consumer.email`, in place of Ada Öberg's. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
};

const CONSUMER: Readonly<Record<string, string>> = {
  'consumer.shippingAddress.country': ADA.shippingAddress.country,
  'consumer.privatePerson.firstName': ADA.privatePerson.firstName,
  'consumer.privatePerson.lastName': ADA.privatePerson.lastName,
  'consumer.email': ADA.email,
  'consumer.phoneNumber.prefix': ADA.phoneNumber.prefix,
  'consumer.phoneNumber.number': ADA.phoneNumber.number,
  'consumer.shippingAddress.addressLine1': ADA.shippingAddress.addressLine1,
  'consumer.shippingAddress.postalCode': ADA.shippingAddress.postalCode,
  'consumer.shippingAddress.city': ADA.shippingAddress.city,
};

const ASKING: ReadonlySet<string> = new Set([
  cards.challenge,
  cards.challengeDeclined,
  '5213199803453465',
  '4000002760003184',
]);

/** Fills in the checkout and presses the button, and answers the bank where it asks. */
export async function payOnPage(
  page: PageLike,
  { card = cards.approved, challenge = 'pass', fields = {} }: PayOnPageOptions = {},
): Promise<void> {
  const find = (selector: string): LocatorLike => page.locator(selector) as LocatorLike;
  const field = (name: string): LocatorLike => find(`#pay-form [name="${name}"]`);
  await find('#pay').waitFor();
  for (const [name, value] of Object.entries({ ...CONSUMER, ...fields })) {
    // A shop that knows its consumer has these asked of nobody.
    if (!(await field(name).isVisible())) continue;
    if (name.endsWith('.country')) await field(name).selectOption(value);
    else await field(name).fill(value);
  }
  await field('paymentType.card.cardNumber').fill(card);
  await field('paymentType.card.expiry').fill(`12/${expiryYear()}`);
  await field('paymentType.card.cardVerificationCode').fill('123');
  await find('#pay').click();
  if (!ASKING.has(card)) return;
  const answer = challenge === 'pass' ? 'approve' : 'reject';
  await find('#challenge-frame').contentFrame().locator(`[value="${answer}"]`).click();
}
