// The pay call and what follows each of its answers. A payment is sent once for each press of the button and never again
// by itself: when an answer is lost, the service is asked where the payment stands.
import { CARD_NUMBER, CVC, emptyCard, EXPIRY } from './card-field.ts';
import { appOf, openChallenge } from './challenge.ts';
import { findField, valueOf } from './fields.ts';
import { checkForm, readBody, showServiceErrors, withoutSecrets } from './form.ts';
import { forgetTyped, keepTyped, rememberConsumer } from './saved-form.ts';
import { announce, showFormError, showNotice } from './notice.ts';
import { byId, isEmbedded, isOpen, pageData, say } from './page-data.ts';
import { focusWhenFree, hold, isHeld, release } from './pay-button.ts';
import { askStanding, pause, sendConsumer, sendPay, type Answer, type Standing } from './service.ts';
import { askShop, tellCancelled, tellOutcome, tellShop, wantsToBeAsked } from './shop.ts';
import { swapOrder, swapPage } from './replace-page.ts';

// Long enough to read that it is paid, short enough not to be left before the shop learns of it.
const RETURN_AFTER_MS = 1_500;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
// A payment whose answer was lost may still be on its way when the service is asked for the first time.
const OPEN_ANSWERS_NEEDED = 2;

/** The growing pause before a further question; over at once when the connection is back. */
const pauseBefore = (question: number): Promise<unknown> =>
  Promise.race([
    pause(Math.min(FIRST_PAUSE_MS * 2 ** question, LONGEST_PAUSE_MS)),
    new Promise((resolve) => window.addEventListener('online', resolve, { once: true })),
  ]);

/** Asks until there is an answer: while nobody knows whether it was paid, nothing else can be said. */
async function findStanding(answersNeeded: number): Promise<Standing> {
  let open = 0;
  for (let question = 0; ; question++) {
    const standing = await askStanding();
    if (standing?.state === 'open') open++;
    if (standing && (standing.state !== 'open' || open >= answersNeeded)) return standing;
    await pauseBefore(question);
  }
}

/** The page of a payment that is paid, and from there back to the shop. */
export async function showPaid(): Promise<void> {
  forgetTyped();
  tellOutcome('paid');
  for (let attempt = 0; pageData()['state'] !== 'paid' && !(await swapPage()); attempt++) await pauseBefore(attempt);
  tellShop('scroll-to-top');
  returnToShop();
}

/** Leads back to the shop after a moment; a hosted page alone, since the shop's own page knows where it goes. */
export function returnToShop(): void {
  const back = byId('return');
  if (isEmbedded() || !(back instanceof HTMLAnchorElement)) return;
  setTimeout(() => location.assign(back.href), RETURN_AFTER_MS);
}

/** Whatever the payment has become, its own page says it; `fallback` is for one that is still open. */
async function showWhatIs(fallback: string): Promise<void> {
  await swapPage();
  if (isOpen()) showFormError(fallback);
}

/** What the consumer can mend: the sentence, what of the card is typed again, and where they begin. */
const MENDED = {
  cvc: ['wrongCvc', [CVC], CVC],
  expiry: ['cardExpired', [], EXPIRY],
} as const;

function showDecline(hint: unknown): void {
  if (valueOf('type') === 'invoice') return showNotice(say('invoiceRefused'), true);
  const [text, emptied, first] =
    hint === 'cvc' || hint === 'expiry' ? MENDED[hint] : (['declined', undefined, CARD_NUMBER] as const);
  showNotice(say(text), true);
  emptyCard(emptied);
  focusWhenFree(findField(first));
}

/** Who comes back from an app reads what the server says of it. */
function showAnswerOfApp(): void {
  const notice = byId('notice');
  if (notice?.hidden) showNotice(say('declined'));
  else announce(notice?.querySelector('strong')?.textContent ?? '');
  focusWhenFree(notice?.querySelector('a') ?? document.querySelector<HTMLElement>('[name="type"]:checked'));
}

/** The consumer at the bank, or in the app that they have chosen, and what the service says afterwards. */
export async function goToBank(address: string, type: string | undefined): Promise<void> {
  const app = appOf(type);
  const ending = await openChallenge(address, app);
  announce(say(app ? 'paying' : 'checkingWithBank'));
  const { state, lastTry } = await findStanding(1);
  if (state === 'paid') return showPaid();
  await swapPage();
  if (!isOpen()) return;
  if (app) return showAnswerOfApp();
  // While the bank still waits, the page's own notice leads back to it.
  const onward = document.querySelector<HTMLElement>('#notice a');
  if (onward) announce(say('challengeLeft'));
  else if (ending === 'left' || !lastTry) showNotice(say('challengeLeft'), true);
  else showNotice(say(lastTry === 'declined' ? 'declined' : 'challengeFailed'), true);
  focusWhenFree(onward ?? findField(CARD_NUMBER));
}

async function findOutWhatHappened(): Promise<void> {
  showFormError(say('connectionLostChecking'));
  const { state } = await findStanding(OPEN_ANSWERS_NEEDED);
  if (state === 'paid') return showPaid();
  if (state !== 'open') await swapPage();
  if (isOpen()) showFormError(say('notCharged'));
}

async function follow(answer: Answer | undefined): Promise<void> {
  if (!answer || answer.status >= 500) return findOutWhatHappened();
  const { status, body } = answer;
  if (status === 201) return showPaid();
  // In another tab, or by a press whose answer was lost.
  if (body['reason'] === 'already_paid' && (await findStanding(1)).state === 'paid') return showPaid();
  if (status === 202) return goToBank(String(body['redirectUrl']), valueOf('type'));
  if (status === 402) return showDecline(body['hint']);
  if (status === 429) return showFormError(say('tooManyAttempts'));
  if (status === 400) {
    const isShown = showServiceErrors(Object.keys(Object(body['errors']) as object), body['reason']);
    return isShown ? undefined : showFormError(say('somethingWrong'));
  }
  if (body['reason'] === 'amount_changed' || body['reason'] === 'shipping_cost_missing') {
    await swapOrder();
    return showFormError(say(body['reason'] === 'amount_changed' ? 'amountChanged' : 'shippingCostMissing'));
  }
  return showWhatIs(say('somethingWrong'));
}

async function payOnce(): Promise<void> {
  // Read before anything can change it: this is what the consumer has seen and agreed to.
  const body = readBody();
  showNotice('');
  showFormError('');
  announce(say('paying'));
  keepTyped();
  rememberConsumer();
  if (!navigator.onLine) return showFormError(say('connectionLost'));
  if (await wantsToBeAsked()) {
    // The shop places its order from what the API says of the consumer, so that stands there before it is told.
    const noted = await sendConsumer(withoutSecrets(body));
    if (noted?.status !== 204) return follow(noted);
    if (!(await askShop())) return showFormError(say('shopRefused'));
  } else tellShop('pay-initialized', pageData()['paymentId']);
  return follow(await sendPay(body));
}

/** One payment at a time: a second press, or Enter held down, finds the button held. */
export async function pay(): Promise<void> {
  if (isHeld() || !isOpen() || !checkForm()) return;
  await during(payOnce);
}

/** Holds the button while something is under way that ends in a payment. */
export async function during(work: () => Promise<void>): Promise<void> {
  hold('paying');
  try {
    await work();
  } catch (error) {
    showFormError(say('somethingWrong'));
    reportError(error);
  } finally {
    release('paying');
    tellCancelled();
    // What had the focus may be gone; it must not be lost to those who use the keyboard.
    if (isOpen() && document.activeElement === document.body) byId('pay')?.focus();
  }
}
