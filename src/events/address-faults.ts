// The faults of a webhook URL, by name, in the words of the API and of commands. The console has its own words in every
// language.

/**
 * The reason for a rule that depends on the merchant: live, or a test merchant where private addresses are not allowed.
 */
export type FaultReach = 'live' | 'public';
export type AddressFault = { readonly name: keyof typeof SAID; readonly reach?: FaultReach };

/** The limit of the database column. */
export const LONGEST_HOOK_URL = 2_048;

const SAID = {
  too_long: `must have at most ${LONGEST_HOOK_URL} characters`,
  no_scheme: 'must be an http or https address',
  no_tls: 'must be https',
  login: 'must not have a user name or a password',
  port: 'must not have the port 0',
  no_name: 'must have a host name that can be looked up',
  home_name: 'must have a public host name',
  no_address: 'must lead to an IP address',
  not_public: 'must lead to a public address',
  metadata: 'must not lead to a metadata address',
  link_local: 'must not lead to a link-local address',
  unspecified: 'must not lead to an unspecified address',
  broadcast: 'must not lead to a broadcast address',
  multicast: 'must not lead to a multicast address',
  loopback: 'must not lead to a loopback address',
  private: 'must not lead to a private address',
  reserved: 'must not lead to a reserved address',
} as const;

const WHY: Readonly<Record<FaultReach, string>> = {
  live: 'for a live merchant',
  public: 'unless KASSA_PRIVATE_HOOKS is on',
};

/** The words complete "url …". */
export const sayFault = ({ name, reach }: AddressFault): string =>
  reach === undefined ? SAID[name] : `${SAID[name]} ${WHY[reach]}`;
