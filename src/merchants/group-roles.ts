// Roles from the groups of the sign-in provider: at merchants with group roles, people's roles follow their groups at every
// sign-in. If several groups match, the first one configured counts.
import type { Actor } from '../domain/audit.ts';
import { isRole } from '../domain/role.ts';
import type { Role } from '../domain/role.ts';
import type { Person } from '../store/people/people.ts';
import type { Pool } from '../store/connections/pool.ts';
import { changeRole, joinMember, removeMember } from './people.ts';

type GroupRole = { readonly group: string; readonly role: string; readonly merchantId: number };

const DIRECTORY: Actor = { kind: 'system', id: 'oidc', name: 'The groups of the sign-in provider' };

async function follow(pool: Pool, person: Person, merchantId: number, wanted: Role | undefined): Promise<void> {
  const current = person.memberships.find((each) => each.merchantId === merchantId);
  if (current?.role === wanted && current?.byGroups !== false) return;
  // From now on the role depends on the groups, even if it was assigned by hand before.
  const given = { email: person.email, merchantId, byGroups: true };
  if (wanted === undefined) await removeMember(pool, DIRECTORY, merchantId, person.id);
  else if (current === undefined) await joinMember(pool, DIRECTORY, { ...given, role: wanted });
  else await changeRole(pool, DIRECTORY, merchantId, person.id, { role: wanted, byGroups: true });
}

/** The last admin of a merchant stays one. */
export async function followGroups(
  pool: Pool,
  person: Person,
  groups: readonly string[],
  named: readonly GroupRole[],
): Promise<void> {
  for (const merchantId of new Set(named.map((each) => each.merchantId))) {
    const role = named.find((each) => each.merchantId === merchantId && groups.includes(each.group))?.role;
    await follow(pool, person, merchantId, role !== undefined && isRole(role) ? role : undefined);
  }
}
