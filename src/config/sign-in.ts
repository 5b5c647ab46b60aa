// The sign-in settings: whether people can sign in with the company's provider, and whether they must.
import { BadConfig } from './bad-config.ts';
import type { Setting } from './settings.ts';

/** Members of the group have the role at the merchant. */
export type GroupRole = { readonly group: string; readonly role: string; readonly merchantId: number };

export type OidcConfig = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly roles: readonly GroupRole[];
};

export type SignInConfig = {
  readonly oidc: OidcConfig | undefined;
  readonly onlyOidc: boolean;
  /** Minutes of inactivity after which the session of a live merchant's member ends. */
  readonly idleMinutes: number;
};

// The roles of the domain, repeated because the configuration imports nothing.
const GROUP_ROLE = /^([^=,]{1,200})=(viewer|operator|developer|admin)@(\d{9})$/;

function readRoles(text: string): GroupRole[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.map((part) => {
    const [, group, role, merchantId] = GROUP_ROLE.exec(part) ?? [];
    if (group === undefined || role === undefined)
      throw new BadConfig(
        `KASSA_OIDC_ROLES has ${JSON.stringify(part)}; each part must be GROUP=ROLE@MERCHANT, such as staff=operator@123456789.`,
      );
    return { group: group.trim(), role, merchantId: Number(merchantId) };
  });
}

/** The provider's codes and keys must be encrypted in transit, except on this machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, search, hash } = new URL(text);
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && isHere)) && username === '' && search === '' && hash === '';
}

// A session's last use is recorded once a minute; sessions of test merchants end after 12 hours.
const [SHORTEST_IDLE, LONGEST_IDLE] = [5, 720];

function readIdleMinutes(text: string): number {
  const minutes = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (minutes >= SHORTEST_IDLE && minutes <= LONGEST_IDLE) return minutes;
  throw new BadConfig(
    `KASSA_IDLE_MINUTES is ${JSON.stringify(text)}; it must be a number of minutes from ${SHORTEST_IDLE} to ${LONGEST_IDLE}.`,
  );
}

export function readSignIn(setting: (name: Setting) => string): SignInConfig {
  const idleMinutes = readIdleMinutes(setting('KASSA_IDLE_MINUTES'));
  const kind = setting('KASSA_SIGN_IN');
  if (kind !== 'all' && kind !== 'oidc')
    throw new BadConfig(`KASSA_SIGN_IN is ${JSON.stringify(kind)}; it must be all or oidc.`);
  const [issuer, clientId, clientSecret] = [
    setting('KASSA_OIDC_ISSUER'),
    setting('KASSA_OIDC_CLIENT_ID'),
    setting('KASSA_OIDC_CLIENT_SECRET'),
  ];
  const roles = readRoles(setting('KASSA_OIDC_ROLES'));
  if (issuer === '' && clientId === '' && clientSecret === '') {
    if (kind === 'oidc') throw new BadConfig('KASSA_SIGN_IN is oidc, but KASSA_OIDC_ISSUER is not set.');
    if (roles.length > 0) throw new BadConfig('KASSA_OIDC_ROLES is set, but KASSA_OIDC_ISSUER is not.');
    return { oidc: undefined, onlyOidc: false, idleMinutes };
  }
  if (issuer === '' || clientId === '' || clientSecret === '')
    throw new BadConfig('KASSA_OIDC_ISSUER, KASSA_OIDC_CLIENT_ID and KASSA_OIDC_CLIENT_SECRET must be set together.');
  if (!isIssuer(issuer))
    throw new BadConfig(`KASSA_OIDC_ISSUER is ${JSON.stringify(issuer)}; it must be an https address.`);
  return { oidc: { issuer, clientId, clientSecret, roles }, onlyOidc: kind === 'oidc', idleMinutes };
}

/** As logged at the start. */
export const describeSignIn = ({ oidc, onlyOidc, idleMinutes }: SignInConfig) => ({
  KASSA_IDLE_MINUTES: idleMinutes,
  KASSA_SIGN_IN: onlyOidc ? 'oidc' : 'all',
  KASSA_OIDC_ISSUER: oidc?.issuer ?? '',
  KASSA_OIDC_CLIENT_ID: oidc?.clientId ?? '',
  KASSA_OIDC_CLIENT_SECRET: oidc === undefined ? '' : 'given',
  KASSA_OIDC_ROLES: (oidc?.roles ?? []).map(({ group, role, merchantId }) => `${group}=${role}@${merchantId}`).join(),
});
