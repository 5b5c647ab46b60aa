// How the pages of the demo shop talk to its backend, and where: under the public address of the service alone, for which
// its payments and its checkout are made.

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether the page stands where it belongs. Another name of one's own machine is mended; of other addresses it tells. */
export function isAtHome(): boolean {
  const home = new URL(document.body.dataset['home'] ?? location.href);
  if (home.origin === location.origin) return true;
  if (LOOPBACK.has(home.hostname) && LOOPBACK.has(location.hostname) && home.port === location.port) {
    location.replace(home.href + location.search);
    return false;
  }
  document.querySelector('#elsewhere')?.removeAttribute('hidden');
  return false;
}

type Refusal = { readonly message?: string; readonly errors?: Readonly<Record<string, readonly string[]>> };

function describe({ message, errors }: Refusal, status: number): string {
  if (message !== undefined) return message;
  const [first] = Object.entries(errors ?? {});
  return first ? `${first[0]} ${first[1].join(', ')}` : `The shop answered ${status}.`;
}

/** Sends JSON to the shop's backend; throws a sentence for people when it is refused or does not get through. */
export async function post(path: string, body: object): Promise<Response> {
  const demo = document.body.dataset['demo'] ?? '';
  let response: Response;
  try {
    response = await fetch(`${demo}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Error('The shop cannot be reached. Is Kassa still running?');
  }
  if (response.ok) return response;
  const refusal = (await response.json().catch(() => ({}))) as Refusal;
  throw new Error(describe(refusal, response.status));
}

/** Shows a sentence where the page has a place for it; an empty one hides the place. */
export function tell(place: HTMLElement | null, sentence: string): void {
  if (place === null) return;
  place.textContent = sentence;
  place.hidden = sentence === '';
}
