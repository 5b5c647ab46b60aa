// The headers of all pages. A page only runs our own scripts and styles, sends no referrer, and can only be framed by the
// origins it names.

const EVERY_PAGE = {
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-robots-tag': 'noindex',
};

const POLICY = ["default-src 'none'", "script-src 'self'", "style-src 'self'"];

const SENDING = ["connect-src 'self'", "frame-src 'self'", "form-action 'self'"];
const READING = ["form-action 'none'"];

function headersWith(
  allowed: readonly string[],
  frameAncestors: string,
  pictureOrigins: readonly string[] = [],
): Readonly<Record<string, string>> {
  const pictures = ["img-src 'self' data:", ...pictureOrigins].join(' ');
  const policy = [...POLICY, pictures, ...allowed, "base-uri 'none'", `frame-ancestors ${frameAncestors}`].join('; ');
  return { ...EVERY_PAGE, 'content-security-policy': policy };
}

/** For an interactive page: it may connect to us and frame our pages; images may come from the origins named. */
export const pageHeaders = (frameAncestors: string, pictureOrigins: readonly string[] = []) =>
  headersWith(SENDING, frameAncestors, pictureOrigins);

/** For a static page: no connections, no framing. */
export const READING_PAGE_HEADERS = headersWith(READING, "'none'");
