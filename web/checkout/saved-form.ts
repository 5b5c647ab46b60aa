// What the consumer typed, kept for a reload, for the way to the bank and back, and on request for the next purchase.
// Nothing of the card and no national number is ever kept, and on a public device nothing at all. Storage may be full or
// forbidden, above all in a frame: the page then works without.
import { readTyped, writeTyped, type Typed } from './fields.ts';
import { byId, pageData } from './page-data.ts';

const REMEMBERED = 'kassa.consumer';
const paymentKey = (): string => `kassa.${pageData()['paymentId'] ?? ''}`;

const isPublic = (): boolean => pageData()['publicDevice'] !== 'false';
const isKept = (name: string): boolean => !name.startsWith('paymentType.');
const isRemembered = (name: string): boolean =>
  name.startsWith('consumer.') || name === 'consumerType' || name === 'separateBilling';

function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

const read = (storage: () => Storage, key: string): Typed | undefined =>
  attempt(() => JSON.parse(storage().getItem(key) ?? 'null') as Typed) ?? undefined;

const session = (): Storage => sessionStorage;
const local = (): Storage => localStorage;
const rememberTick = (): HTMLInputElement | null => byId('remember') as HTMLInputElement | null;

/** Keeps what is typed now, for a reload of this page in this tab. */
export function keepTyped(): void {
  if (!isPublic()) attempt(() => session().setItem(paymentKey(), JSON.stringify(readTyped(isKept))));
}

/** Brings back what was typed before a reload, or else what the consumer wanted remembered. */
export function recallTyped(): void {
  if (isPublic()) return;
  const kept = read(session, paymentKey());
  const remembered = rememberTick() ? read(local, REMEMBERED) : undefined;
  writeTyped(kept ?? (remembered && { ...remembered, remember: true }) ?? {});
}

/** For the next purchase on this device; called when the consumer pays. Without the tick what was kept is forgotten. */
export function rememberConsumer(): void {
  const tick = rememberTick();
  if (!tick || isPublic()) return;
  if (tick.checked) attempt(() => local().setItem(REMEMBERED, JSON.stringify(readTyped(isRemembered))));
  else attempt(() => local().removeItem(REMEMBERED));
}

const bankKey = (): string => `${paymentKey()}.bank`;

/** Notes that the consumer goes to the bank by leaving this page. */
export function noteWayToBank(): void {
  if (!isPublic()) attempt(() => session().setItem(bankKey(), 'true'));
}

/** Whether the consumer comes back from the bank; asked once. */
export function comesFromBank(): boolean {
  const came = attempt(() => session().getItem(bankKey())) != null;
  attempt(() => session().removeItem(bankKey()));
  return came;
}

/** When the payment is over, nothing of it stays in this tab. */
export function forgetTyped(): void {
  attempt(() => session().removeItem(paymentKey()));
  attempt(() => session().removeItem(bankKey()));
}
