// The origin of a shop's address, if it is safe in a content security policy.

// One plain host: no wildcard, second source or directive.
const PLAIN_ORIGIN = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])(?::\d+)?$/;

export function plainOrigin(url: string | undefined): string | undefined {
  const origin = url !== undefined && URL.canParse(url) ? new URL(url).origin : '';
  return PLAIN_ORIGIN.test(origin) ? origin : undefined;
}
