// Sign-in with e-mail, password and code. Unknown accounts, missing and wrong passwords get the same response after the
// same amount of work.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnnamedProxy, networkOf } from '../../server/network.ts';
import { recordLock } from '../../merchants/sign-in-lock.ts';
import { findPassword, takeRecoveryCode, takeTotpStep } from '../../store/people/passwords.ts';
import type { Password } from '../../store/people/passwords.ts';
import { findPerson } from '../../store/people/people.ts';
import type { Pool } from '../../store/connections/pool.ts';
import type { ConsoleContext } from '../context.ts';
import { noteRefusedSignIn } from '../refused.ts';
import { letIn } from './begin.ts';
import { knownBrowser, markBrowser } from './known-browser.ts';
import { isPassword, withHashSlot } from './password-hash.ts';
import { beginProofTry, beginTry } from './tries.ts';
import type { Try, Wait } from './tries.ts';
import type { Visitor } from '../visitor.ts';
import { readRecoveryCode } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

/** Takes the code that a person brings: of the app, or one of those for when it is lost. Each is taken once. */
async function takeCode(
  pool: Pool,
  { personId, totpSecret, nowMs }: Pick<Password, 'personId' | 'totpSecret' | 'nowMs'>,
  typed: string,
): Promise<boolean> {
  const step = await stepOfCode(totpSecret, typed.replaceAll(/\s/g, ''), nowMs);
  if (step !== undefined) return takeTotpStep(pool, personId, step);
  const recoveryCode = readRecoveryCode(typed);
  return recoveryCode !== undefined && takeRecoveryCode(pool, personId, recoveryCode);
}

type Refused = { readonly kind: 'wrong' } | Wait | { readonly kind: 'busy' };

export type SignedIn = { readonly kind: 'in' } | Refused;

export type Typed = { readonly email: string; readonly password: string; readonly code: string };

/** Recorded in the background, since waiting would reveal which accounts exist. */
function noteLock({ payments }: ConsoleContext, { ip, log }: FastifyRequest, tried: Try, personId?: string): void {
  if (tried.kind !== 'go' || tried.locksUntilMs === undefined || personId === undefined) return;
  recordLock(payments.store.pool, personId, ip, tried.locksUntilMs).catch((error: unknown) =>
    log.error({ err: error }, 'the lock of an account has no audit record'),
  );
}

/** Where the password is still the one that was compared. */
async function takeCodeOf(within: Pool, compared: Password, code: string): Promise<boolean> {
  const current = await findPassword(within, compared.personId);
  return current?.hash === compared.hash && takeCode(within, current, code);
}

export async function signInWithPassword(
  context: ConsoleContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, password, code }: Typed,
): Promise<SignedIn> {
  const { pool } = context.payments.store;
  const address = email.trim().toLowerCase();
  const waiter = { account: address, network: networkOf(request.ip), isProxy: isUnnamedProxy(request) };
  // All of it in the slot, so that no more is written for tries than can be worked on.
  const outcome = await withHashSlot(waiter, async (): Promise<SignedIn> => {
    const person = await findPerson(pool, address);
    const known = person && (await findPassword(pool, person.id));
    const browser = known && (await knownBrowser(context, request, known));
    const tried = await beginTry(pool, { account: person ?? address, request, browser });
    const tell = (reason: 'wrong' | 'wait'): void =>
      noteRefusedSignIn(context, request, { method: 'password', reason, person, typed: address });
    if (tried.kind === 'wait') {
      tell('wait');
      return tried;
    }
    const refuse = (): SignedIn => {
      tell('wrong');
      noteLock(context, request, tried, person?.id);
      return { kind: 'wrong' };
    };
    const isRight = await isPassword(password, known?.hash);
    if (known === undefined || !isRight) return refuse();
    const { personId } = known;
    const take = (within: Pool): Promise<boolean> => takeCodeOf(within, known, code);
    if (!(await letIn(context, request, reply, { personId, method: 'password', take }))) return refuse();
    await tried.succeed();
    await markBrowser(context, request, reply, known);
    return { kind: 'in' };
  });
  return outcome ?? { kind: 'busy' };
}

/** A code alone, of somebody who is in already. */
export async function proveWithCode(
  context: ConsoleContext,
  request: FastifyRequest,
  { person }: Visitor,
  code: string,
): Promise<{ readonly kind: 'proved' } | Exclude<Refused, { kind: 'busy' }>> {
  const { pool } = context.payments.store;
  const tried = await beginProofTry(pool, person);
  const tell = (reason: 'wrong' | 'wait'): void =>
    noteRefusedSignIn(context, request, { method: 'code', reason, person });
  if (tried.kind === 'wait') {
    tell('wait');
    return tried;
  }
  const known = await findPassword(pool, person.id);
  if (known === undefined || !(await takeCode(pool, known, code))) {
    tell('wrong');
    noteLock(context, request, tried, person.id);
    return { kind: 'wrong' };
  }
  await tried.succeed();
  return { kind: 'proved' };
}
