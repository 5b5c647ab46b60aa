// The headers of the checkout's pages. A page runs our own script and style and nothing else, tells nobody where the
// consumer came from, and can be framed only by whom the payment names.

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
