// What moves on the page of a payment: its id is copied, and what is pending turns by itself.
import { BACKGROUND, reloadInBackground } from './background.ts';

const FIRST_LOOK_MS = 1_500;
const SLOWEST_LOOK_MS = 15_000;
// A page that is left open polls less often.
const MOST_LOOKS = 200;

function startCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const copied = navigator.clipboard.writeText(button.dataset['copy'] ?? '');
      copied.then(
        () => (button.textContent = button.dataset['copied'] ?? ''),
        () => {},
      );
    });
  }
}

function startPrinting(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }
}

/** Asks whether the payment has moved on, ever less often, and draws the page anew once it has. */
function startWatching(): void {
  const watch = document.querySelector<HTMLElement>('[data-watch]');
  const { watch: address, version } = watch?.dataset ?? {};
  if (address === undefined) return;
  const look = async (looks: number): Promise<void> => {
    try {
      const answer = await fetch(address, BACKGROUND);
      if (answer.ok && String(((await answer.json()) as { version: number }).version) !== version)
        return reloadInBackground();
    } catch {
      // The next look may reach it.
    }
    if (looks < MOST_LOOKS) lookLater(looks + 1);
  };
  const lookLater = (looks: number): void =>
    void setTimeout(() => void look(looks), Math.min(FIRST_LOOK_MS * 1.1 ** looks, SLOWEST_LOOK_MS));
  lookLater(0);
}

export function startPayment(): void {
  if (navigator.clipboard) startCopying();
  startPrinting();
  startWatching();
}
