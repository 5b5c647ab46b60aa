// The headers of pages that people see: whatever every page carries stands here. A page runs our own script and style and
// nothing else, tells nobody where the visitor came from, and can be framed only by whom it names.

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

/** Of a page on which people do something: it may ask us, and hold pages of ours; pictures may be of the origins named. */
export const pageHeaders = (frameAncestors: string, pictureOrigins: readonly string[] = []) =>
  headersWith(SENDING, frameAncestors, pictureOrigins);

/** Of a page that is there to be read: it sends nothing, and nobody frames it. */
export const READING_PAGE_HEADERS = headersWith(READING, "'none'");
