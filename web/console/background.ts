// What the script asks for by itself, while nobody does anything: it keeps no session from ending.

const NAME = 'kassa-background';

export const BACKGROUND = { headers: { [NAME]: 'yes' } };

// As long as the request of a reload may take to begin.
const MARKED_SECONDS = 10;

const mark = (seconds: number): void => {
  document.cookie = `${NAME}=yes; Path=/; SameSite=Strict; Max-Age=${seconds}`;
};

/** A reload has no headers of its own. */
export function reloadInBackground(): void {
  mark(MARKED_SECONDS);
  location.reload();
}

/** What follows is the person's own. */
export const endBackground = (): void => mark(0);
