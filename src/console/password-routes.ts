// Routes to set, change and remove a person's password, authenticator app and recovery codes. All require recent
// confirmation.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { changeCredential } from '../merchants/sign-in.ts';
import {
  changePasswordHash,
  changeTotpSecret,
  databaseNowMs,
  deletePassword,
  setPassword,
  setRecoveryCodes,
} from '../store/people/passwords.ts';
import type { Pool } from '../store/connections/pool.ts';
import { accountOf, isLastWay } from './account.ts';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import { fieldOf } from './form.ts';
import { pageForVisitor, showPage } from './page-reply.ts';
import type { Account } from './page/account.ts';
import { renderLastWay, renderPasswordForm, renderRecoveryCodes } from './page/password.ts';
import type { NotSet } from './page/password.ts';
import { proveAndSend } from './kept-form.ts';
import { asAdding, leadToProof } from './proof.ts';
import { takeFlash, flashAt } from './flash.ts';
import { actorOf } from './visitor.ts';
import type { Visitor } from './visitor.ts';
import { renewProof } from './sign-in/begin.ts';
import { hashPassword, withHashSlot } from './sign-in/password-hash.ts';
import { judgePassword } from './sign-in/password-rules.ts';
import { newRecoveryCodes } from './sign-in/recovery-codes.ts';
import { newTotpSecret, readTotpSecret, showTotpSecret, stepOfCode } from './sign-in/totp.ts';

type ProvedPage = (account: Account, request: FastifyRequest, reply: FastifyReply) => Promise<string | FastifyReply>;

/** Requires recent confirmation; otherwise redirects to it and back. */
function proved(
  context: ConsoleContext,
  next: string,
  page: ProvedPage,
  { see = (visitor: Visitor) => visitor, whileWeak = false } = {},
) {
  return pageForVisitor(
    context,
    async (visitor, request, reply) => {
      const root = rootOf(context);
      return (
        leadToProof(see(visitor), root, `${root}${next}`, reply) ??
        page(await accountOf(context, visitor), request, reply)
      );
    },
    { whileWeak },
  );
}

/** The same for a form of the account's page that has no password in it: it is kept meanwhile, and sent on. */
const provedForm = (context: ConsoleContext, page: ProvedPage) =>
  pageForVisitor(context, async (visitor, request, reply) => {
    if (await proveAndSend(context, visitor, request, reply, `${rootOf(context)}/console/account`)) return reply;
    return page(await accountOf(context, visitor), request, reply);
  });

const AT = '/console/account/password';
const CODES = '/console/account/recovery-codes';

type Codes = { readonly codes: readonly string[] };

export function routePassword(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  const provedToSet = (page: ProvedPage) => proved(context, AT, page, { see: asAdding, whileWeak: true });
  const toAccount = (reply: FastifyReply): FastifyReply => reply.redirect(`${rootOf(context)}/console/account`, 303);

  /** With an app of theirs, a session that began with a link is worth as much as one that began with a code. */
  const strengthen = async ({ visitor }: Account, reply: FastifyReply): Promise<void> => {
    if (visitor.isWeak) await renewProof(context, reply, visitor);
  };

  /** Changes the credential and records it; false if the session has ended meanwhile. */
  const change = async ({ visitor }: Account, what: string, work: (within: Pool) => Promise<void>): Promise<boolean> =>
    changeCredential(pool, actorOf(visitor), visitor, {
      after: { password: what },
      change: async (within) => {
        await work(within);
        return true;
      },
    });

  const tellCodes = ({ root, visitor }: Account, reply: FastifyReply, told: Codes): Promise<FastifyReply> =>
    flashAt(context, visitor, reply, `${root}${CODES}`, told);

  /** With the same app as before, so that nobody has to scan it twice. */
  const formWith = async (account: Account, secret: Buffer | undefined, problem?: NotSet): Promise<string> =>
    renderPasswordForm(account, await showTotpSecret(secret ?? newTotpSecret(), account.visitor.person.email), problem);

  const readApp = async (
    request: FastifyRequest,
  ): Promise<{ readonly secret: Buffer | undefined; readonly step: number | undefined }> => {
    const secret = await readTotpSecret(fieldOf(request, 'secret'));
    const code = fieldOf(request, 'code').replaceAll(/\s/g, '');
    const step = secret && (await stepOfCode(secret, code, await databaseNowMs(pool)));
    return { secret, step };
  };

  app.get(
    AT,
    provedToSet((account) => formWith(account, undefined)),
  );

  app.post(
    AT,
    provedToSet(async (account, request, reply) => {
      const { person } = account.visitor;
      const { secret, step } = await readApp(request);
      const refuse = async (problem: NotSet): Promise<FastifyReply> =>
        showPage(request, reply, await formWith(account, secret, problem), 422);
      const recoveryCodes = newRecoveryCodes();
      if (account.password !== undefined) {
        if (secret === undefined || step === undefined) return refuse('bad_code');
        const isChanged = await change(account, 'another authenticator app', async (within) => {
          await changeTotpSecret(within, person.id, { totpSecret: secret, totpStep: step });
          await setRecoveryCodes(within, person.id, recoveryCodes);
        });
        if (!isChanged) return toAccount(reply);
        await strengthen(account, reply);
        return tellCodes(account, reply, { codes: recoveryCodes });
      }
      const password = fieldOf(request, 'password');
      const bad = judgePassword(password, person.email);
      if (bad !== undefined) return refuse(bad);
      if (secret === undefined || step === undefined) return refuse('bad_code');
      const hash = await withHashSlot({ account: person.id }, () => hashPassword(password));
      if (hash === undefined) return refuse('busy');
      const isSet = await change(account, 'set, with an authenticator app', async (within) => {
        await setPassword(within, person.id, { hash, totpSecret: secret, totpStep: step });
        await setRecoveryCodes(within, person.id, recoveryCodes);
      });
      if (!isSet) return toAccount(reply);
      await strengthen(account, reply);
      return tellCodes(account, reply, { codes: recoveryCodes });
    }),
  );

  app.post(
    `${AT}/change`,
    proved(context, AT, async (account, request, reply) => {
      const { person } = account.visitor;
      if (account.password === undefined) return toAccount(reply);
      const password = fieldOf(request, 'password');
      const bad = judgePassword(password, person.email);
      const hash =
        bad === undefined ? await withHashSlot({ account: person.id }, () => hashPassword(password)) : undefined;
      if (hash === undefined) return showPage(request, reply, await formWith(account, undefined, bad ?? 'busy'), 422);
      await change(account, 'changed', (within) => changePasswordHash(within, person.id, hash));
      return toAccount(reply);
    }),
  );

  app.post(
    `${AT}/remove`,
    provedForm(context, async (account, request, reply) => {
      const { person } = account.visitor;
      if (account.password !== undefined && isLastWay(account) && fieldOf(request, 'confirmed') !== 'yes')
        return renderLastWay(account, `${account.root}${AT}/remove`, '');
      await changeCredential(pool, actorOf(account.visitor), account.visitor, {
        before: { password: 'set' },
        change: (within) => deletePassword(within, person.id),
      });
      return toAccount(reply);
    }),
  );

  app.get(
    CODES,
    pageForVisitor(context, async (visitor, request, reply) => {
      const told = await takeFlash<Codes>(context, visitor, request, reply);
      return told ? renderRecoveryCodes(await accountOf(context, visitor), told.codes) : toAccount(reply);
    }),
  );

  app.post(
    CODES,
    provedForm(context, async (account, _request, reply) => {
      if (account.password === undefined) return toAccount(reply);
      const codes = newRecoveryCodes();
      const isChanged = await change(account, 'new recovery codes', (within) =>
        setRecoveryCodes(within, account.visitor.person.id, codes),
      );
      return isChanged ? tellCodes(account, reply, { codes }) : toAccount(reply);
    }),
  );
}
