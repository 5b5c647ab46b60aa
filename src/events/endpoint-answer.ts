// What is kept of an endpoint's response, and the words for errors. Both are stored for long and shown to people, so the
// text is cut and cannot affect a terminal or a page, and the words come from a fixed list, never from an error's
// message, which may quote the request and its secrets.

/** How much of a response is kept. */
export const ANSWER_BYTES = 1_024;

// Everything that moves a cursor, ends a line in some programs, is invisible, or changes the direction of writing.
const UNPRINTABLE = /[^\P{C}\n\t]|[\u2028\u2029]/gu;

/** The first bytes as text, without a character that was cut in the middle. */
export function textOf(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.replaceAll('\r\n', '\n').replaceAll(UNPRINTABLE, '\uFFFD');
}

const HTTP_DATE = /^[A-Z][a-z]+, .* GMT$/;

/** The wait that the response asks for, in seconds or as a date; anything else counts as none. */
export function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, Number.MAX_SAFE_INTEGER);
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ECONNABORTED: 'connection reset',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'no free port for a connection',
  EMFILE: 'too many open connections',
  ENOTFOUND: 'name not found',
  ENODATA: 'name not found',
  EAI_NODATA: 'name not found',
  EAI_NONAME: 'name not found',
  EAI_AGAIN: 'name server does not answer',
  ETIMEOUT: 'name server does not answer',
  ESERVFAIL: 'name server failed',
  EREFUSED: 'name server failed',
  ECANCELLED: 'connection reset',
  ETOOMANYNAMES: 'too many names are being looked up',
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not yet valid',
  CERT_REVOKED: 'certificate is revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate is of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate is of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate is of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate is of an unknown authority',
  HPE_HEADER_OVERFLOW: 'headers of the answer are too large',
  ERR_INVALID_CHAR: 'a header has a character that cannot be sent',
  ERR_INVALID_HTTP_TOKEN: 'a header has a name that cannot be sent',
  ERR_UNESCAPED_CHARACTERS: 'the path has a character that cannot be sent',
};

/** An error of the network, of TLS or of the protocol in a few words. */
export function describeFault({ code = 'unknown' }: NodeJS.ErrnoException): string {
  const words = WORDS[code];
  if (words !== undefined) return words;
  if (code.startsWith('HPE_')) return 'answer is not HTTP';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'TLS failed';
  return /^[A-Z_]+$/.test(code) ? `connection failed (${code})` : 'connection failed';
}
