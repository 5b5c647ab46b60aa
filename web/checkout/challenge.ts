// The bank's page of 3-D Secure, or that of an app: in a dialog over the checkout, or as a page of its own on a small
// screen, where a bank needs all the room there is. How it ended is never taken from here: the service is asked.
import { noteWayToBank } from './saved-form.ts';
import { byId, isEmbedded, pageData, readJson } from './page-data.ts';
import { askStanding, pauseOf } from './service.ts';
import { tellHeight, tellShop } from './shop.ts';

// Below this a dialog would leave the bank's page less than the smallest window that 3-D Secure knows well.
const NARROW_PX = 600;

/** The bank is simulated by the service itself, so it is where this page is, under whatever name that was reached. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address, location.href);
  return pathname + search;
}

/** A frame is as narrow as its shop made it, whatever the screen is: the hosted page in one is no page of its own. */
const isFramed = (): boolean => isEmbedded() || window.parent !== window;

/** Without storage the page would not know on return that it came from the bank, so a public device keeps the frame. */
function goesByRedirect(): boolean {
  return !isFramed() && window.innerWidth < NARROW_PX && pageData()['publicDevice'] === 'false';
}

function leaveForBank(address: string): Promise<never> {
  noteWayToBank();
  location.assign(address);
  return new Promise(() => undefined);
}

/** The bank's page in full; a frame in a shop's page cannot come back from there, so it takes a window of its own. */
function prepareLink(path: string): void {
  const link = byId('challenge-link');
  if (!(link instanceof HTMLAnchorElement)) return;
  link.href = path;
  if (isFramed()) Object.assign(link, { target: '_blank', rel: 'noopener' });
  else link.addEventListener('click', noteWayToBank, { once: true });
}

type AppWords = { readonly heading: string; readonly text: string; readonly ownPage: string };

/** The app that is chosen by this value; none for a card, whose bank asks. */
export const appOf = (type = ''): AppWords | undefined =>
  (readJson('apps') as Readonly<Record<string, AppWords>> | null)?.[type];

/** The server draws the dialog for a bank, and draws it anew when it is over. */
function nameApp({ heading, text, ownPage }: AppWords): void {
  const words = { 'challenge-heading': heading, 'challenge-text': text, 'challenge-link': ownPage };
  for (const [id, said] of Object.entries(words)) byId(id)?.replaceChildren(said);
  byId('challenge-frame')?.setAttribute('title', heading);
}

/** Resolves when the page says that it is done, when it was answered elsewhere, or when the consumer closes it. */
export async function openChallenge(address: string, app: AppWords | undefined): Promise<'finished' | 'left'> {
  const path = pathOf(address);
  const dialog = byId('challenge');
  const frame = byId('challenge-frame');
  const isThere = dialog instanceof HTMLDialogElement && frame instanceof HTMLIFrameElement;
  if (!isThere || goesByRedirect()) return leaveForBank(path);
  prepareLink(path);
  if (app) nameApp(app);
  frame.src = path;
  dialog.showModal();
  byId('challenge-heading')?.focus();
  tellHeight();
  tellShop('scroll-to-top');
  const ending = await waitForEnd(dialog, frame);
  // A new frame, so that the back button does not lead through the bank's pages.
  const empty = frame.cloneNode() as HTMLIFrameElement;
  empty.removeAttribute('src');
  frame.replaceWith(empty);
  if (dialog.open) dialog.close();
  tellHeight();
  return ending;
}

function waitForEnd(dialog: HTMLDialogElement, frame: HTMLIFrameElement): Promise<'finished' | 'left'> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = (ending: 'finished' | 'left'): void => {
      over.abort();
      resolve(ending);
    };
    const hear = ({ origin, source, data }: MessageEvent): void => {
      const { kassa, type } = Object(data) as { readonly kassa?: unknown; readonly type?: unknown };
      const isOurs = origin === location.origin && source === frame.contentWindow && kassa === 1;
      if (isOurs && type === 'challenge-finished') end('finished');
    };
    window.addEventListener('message', hear, { signal: over.signal });
    // Somebody who confirmed in another window comes back here; one who did on another device does not.
    const look = async (): Promise<void> => {
      const standing = await askStanding();
      if (standing && !standing.confirming) end('finished');
    };
    const lookAgain = async (): Promise<void> => {
      for (let round = 0; !over.signal.aborted; round++) {
        await pauseOf(round);
        if (!over.signal.aborted) await look();
      }
    };
    void lookAgain();
    const lookIfSeen = (): void => void (document.visibilityState === 'visible' && look());
    document.addEventListener('visibilitychange', lookIfSeen, { signal: over.signal });
    dialog.addEventListener('close', () => end('left'), { signal: over.signal });
  });
}
