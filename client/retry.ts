// What may be tried again, and when. Nothing may happen twice: what reads or deletes may be repeated, and so may a POST
// with an Idempotency-Key. Of another POST only what the service turned away unread is sent again. Of a PUT whose outcome
// is not known the caller decides: somebody else may have written meanwhile, and a repetition would undo that.

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

/** Longer waits are reported to the caller instead. */
const LONGEST_RETRY_AFTER_MS = 30_000;

export type Answered = { readonly status: number; readonly headers: Headers | undefined };

/** 0: nothing was answered. */
export function mayRetry(status: number, method: string, isKeyed: boolean): boolean {
  if (status === 429) return true;
  // The first request with this key is still under way, at an acquirer for example.
  if (status === 409) return isKeyed && method === 'POST';
  const isSafe = method === 'GET' || method === 'DELETE' || (isKeyed && method === 'POST');
  return isSafe && (status === 0 || status === 408 || status >= 500);
}

/** In milliseconds; 0 where the service named no time. */
function retryAfterOf(headers: Headers | undefined): number {
  const text = headers?.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}

/** How long to wait after so many tries, half of it by chance: not all come back at once. Undefined: for too long. */
export function pauseAfter(tries: number, { headers }: Answered): number | undefined {
  const asked = retryAfterOf(headers);
  if (asked > LONGEST_RETRY_AFTER_MS) return undefined;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
  return asked + pauseMs / 2 + (Math.random() * pauseMs) / 2;
}

export function wait(pauseMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, pauseMs);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
  });
}
