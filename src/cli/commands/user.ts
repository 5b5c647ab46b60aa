// `kassa user create|list|link|remove`: the console users. A link signs a user in once, so that no mail server is needed;
// it is also the way to recover an account.
import type { Config } from '../../config.ts';
import { isRole, ROLES } from '../../domain/role.ts';
import { invitePerson, removePerson } from '../../merchants/people.ts';
import { LINK_LASTS, linkPerson } from '../../merchants/sign-in-links.ts';
import { unlockPerson } from '../../merchants/sign-in-lock.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { findAddress, findConsoleAddress } from '../../start/address-file.ts';
import { localUrlOf } from '../../start/banner.ts';
import { withDatabase } from '../../start/database.ts';
import { countMembers, listPeople } from '../../store/people/people.ts';
import type { Person } from '../../store/people/people.ts';
import { JSON_OPTION, printJson, printTable } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { MAYBE_MERCHANT, merchantIn, noMerchant } from './which-merchant.ts';
import { whoAsks } from './who.ts';

/** The address of the console: as configured, else of the running Kassa, else where it would listen. */
function consoleUrlOf({ consoleUrl, consolePort, publicUrl, dataDir, host, port }: Config): string {
  const ofItsOwn = consoleUrl ?? findConsoleAddress(dataDir);
  if (ofItsOwn !== undefined) return ofItsOwn;
  if (consolePort !== undefined) return localUrlOf(host, consolePort);
  return publicUrl ?? findAddress(dataDir) ?? localUrlOf(host, port);
}

const linkOf = (config: Config, secret: string): string => `${consoleUrlOf(config)}/console/link/${secret}`;

const show = ({ id, email, memberships }: Person) => ({
  userId: id,
  email,
  merchants: memberships.map(({ merchantId, role }) => ({ merchantId, role })),
});

function printLink(
  config: Config,
  { id, email, canSignIn: isRecovery }: Person,
  secret: string,
  isJson: boolean,
): number {
  const link = linkOf(config, secret);
  if (isJson) printJson({ userId: id, link });
  else {
    print(link);
    remark(`Signs ${email} in once, within ${LINK_LASTS}. Anyone who has the link can use it: share it safely.`);
    if (isRecovery)
      remark(
        'They can already sign in, so this is account recovery: they are notified, and the audit marks their actions.',
      );
  }
  return 0;
}

const noPerson = (who: string): UserError => new UserError(`There is no user ${who}. kassa user list shows all.`);

const textOf = (value: string | boolean | undefined, option: string): string => {
  if (typeof value !== 'string') throw new UserError(`${option} is missing.`);
  return value;
};

export const createUserCommand: Command = {
  usage: '--email EMAIL --merchant MERCHANT --role ROLE [--json]',
  more: `ROLE is one of ${ROLES.join(', ')}. An existing user with this address gets the role as well.`,
  options: {
    email: { type: 'string', value: 'EMAIL', what: "The user's e-mail address. Nothing is sent to it." },
    merchant: { type: 'string', value: 'MERCHANT', what: 'The merchant; optional if there is only one.' },
    role: { type: 'string', value: 'ROLE', what: 'viewer, operator (money), developer (keys, webhooks) or admin.' },
    json: JSON_OPTION,
  },
  run: ({ config, options }) => {
    const email = textOf(options['email'], '--email');
    const role = textOf(options['role'], '--role');
    if (!isRole(role)) throw new UserError(`--role is ${role}; it must be one of ${ROLES.join(', ')}.`);
    const merchant = merchantIn(typeof options['merchant'] === 'string' ? [options['merchant']] : []);
    return withDatabase(config, async (pool) => {
      const { id: merchantId } = await merchant(pool);
      const invited = await invitePerson(pool, whoAsks(), { email, merchantId, role });
      if (invited.kind === 'no_merchant') throw noMerchant(merchantId);
      if (invited.kind === 'bad_email') throw new UserError(`--email is ${email}; it must be an e-mail address.`);
      return printLink(config, invited.person, invited.linkSecret, options['json'] === true);
    });
  },
};

export const listUsersCommand: Command = {
  usage: '[MERCHANT] [--json]',
  more: 'With MERCHANT, only the users of that merchant.',
  positionals: [MAYBE_MERCHANT],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const merchant = positionals.length === 0 ? undefined : merchantIn(positionals);
    return withDatabase(config, async (pool) => {
      const people = (await listPeople(pool, (await merchant?.(pool))?.id)).map(show);
      if (options['json']) printJson(people);
      else
        printTable(
          ['USER', 'EMAIL', 'ROLES'],
          people.map(({ userId, email, merchants }) => [
            userId,
            email,
            merchants.map(({ merchantId, role }) => `${role} of ${merchantId}`).join(', ') || '-',
          ]),
        );
      return 0;
    });
  },
};

export const linkUserCommand: Command = {
  usage: 'USER [--json]',
  more: 'USER is an e-mail address, or an id from kassa user list. Earlier links stop working.',
  positionals: ['USER'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals: [who = ''] }) =>
    withDatabase(config, async (pool) => {
      const linked = await linkPerson(pool, whoAsks(), who);
      if (linked.kind === 'no_person') throw noPerson(who);
      const { memberships } = linked.person;
      if (memberships.length > 0 && memberships.every(({ byGroups }) => byGroups))
        remark('Their roles come from groups and only apply to single sign-on; kassa user create assigns a role.');
      return printLink(config, linked.person, linked.linkSecret, options['json'] === true);
    }),
};

export const unlockUserCommand: Command = {
  usage: 'USER [--json]',
  more: 'Ten failed attempts lock password sign-in for 30 minutes; passkeys and links keep working.',
  positionals: ['USER'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals: [who = ''] }) =>
    withDatabase(config, async (pool) => {
      const unlocked = await unlockPerson(pool, whoAsks(), who);
      if (unlocked.kind !== 'unlocked') throw noPerson(who);
      if (options['json']) printJson(show(unlocked.person));
      else print(`${unlocked.person.email} can sign in with a password again.`);
      return 0;
    }),
};

export const removeUserCommand: Command = {
  usage: 'USER [--merchant MERCHANT] [--json]',
  more: 'Without --merchant, removes the user completely and ends all sessions immediately.',
  positionals: ['USER'],
  options: {
    merchant: { type: 'string', value: 'MERCHANT', what: 'Only from this merchant.' },
    json: JSON_OPTION,
  },
  run: ({ config, options, positionals: [who = ''] }) => {
    const merchant = typeof options['merchant'] === 'string' ? merchantIn([options['merchant']]) : undefined;
    return withDatabase(config, async (pool) => {
      const removed = await removePerson(pool, whoAsks(), who, (await merchant?.(pool))?.id);
      if (removed.kind === 'no_person') throw noPerson(who);
      if (options['json']) printJson(show(removed.person));
      else print(`Removed ${removed.person.email}.`);
      for (const { merchantId, merchantName, role } of removed.person.memberships)
        if (role === 'admin' && (await countMembers(pool, merchantId)).admins === 0)
          remark(`${merchantName}, ${merchantId}, no longer has an admin; kassa user create --role admin adds one.`);
      return 0;
    });
  },
};
