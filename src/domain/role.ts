// What a person may do for a merchant, by role. A role is a set of rights; callers check a right.

export const ROLES = ['viewer', 'operator', 'developer', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const RIGHTS = [
  /** Payments, figures, exports. */
  'read',
  /** Charges, refunds, cancels. */
  'move money',
  /** Resending events. */
  'resend events',
  /** Keys, webhooks and the request log. */
  'develop',
  /** People, their roles, and the settings of the merchant. */
  'administer',
] as const;
export type Right = (typeof RIGHTS)[number];

const GRANTED: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ['read'],
  operator: ['read', 'move money', 'resend events'],
  developer: ['read', 'resend events', 'develop'],
  admin: RIGHTS,
};

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

export const grants = (role: Role, right: Right): boolean => GRANTED[role].includes(right);
