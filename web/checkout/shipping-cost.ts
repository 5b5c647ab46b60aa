// Waits, in an embedded checkout, for the shop to add the cost of shipping to the order. The shop says so by thawing the
// checkout; one that does not is noticed by asking.
import { isEmbedded, isOpen, pageData } from './page-data.ts';
import { hold, isHeld, release } from './pay-button.ts';
import { askStanding } from './service.ts';
import { swapOrder } from './replace-page.ts';

const ASK_EVERY_MS = 2_000;

let timer: ReturnType<typeof setTimeout> | undefined;

const isMissing = (): boolean => isEmbedded() && isOpen() && pageData()['shippingCostMissing'] === 'true';

/** To be called whenever the order was drawn. */
export function watchShippingCost(): void {
  clearTimeout(timer);
  if (!isMissing()) return release('shipping');
  hold('shipping');
  timer = setTimeout(() => void ask(), ASK_EVERY_MS);
}

async function ask(): Promise<void> {
  const isIdle = document.visibilityState !== 'visible' || isHeld('frozen');
  const standing = isIdle ? undefined : await askStanding();
  if (standing && (!standing.shippingCostMissing || standing.state !== 'open')) await swapOrder();
  watchShippingCost();
}
