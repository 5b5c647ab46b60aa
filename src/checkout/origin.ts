// The origin of an address that a shop gave, where it can stand in a policy.

// One host and nothing that a policy would read as more: no star, no second source, no directive.
const PLAIN_ORIGIN = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])(?::\d+)?$/;

export function plainOrigin(url: string | undefined): string | undefined {
  const origin = url !== undefined && URL.canParse(url) ? new URL(url).origin : '';
  return PLAIN_ORIGIN.test(origin) ? origin : undefined;
}
