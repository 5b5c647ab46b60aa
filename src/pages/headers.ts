// The headers of pages that people see. A page runs our own script and style and nothing else, tells nobody where the
// visitor came from, and can be framed only by whom it names.

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
];

export function pageHeaders(frameAncestors: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [...POLICY, `frame-ancestors ${frameAncestors}`].join('; '),
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'x-robots-tag': 'noindex',
  };
}
