// Checks a code of the authenticator app, or a recovery code. Each is accepted once.
import { takeRecoveryCode, takeTotpStep } from '../../store/people/passwords.ts';
import type { Password } from '../../store/people/passwords.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { readRecoveryCode } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

export async function takeCode(
  pool: Pool,
  { personId, totpSecret, nowMs }: Pick<Password, 'personId' | 'totpSecret' | 'nowMs'>,
  typed: string,
): Promise<boolean> {
  const step = await stepOfCode(totpSecret, typed.replaceAll(/\s/g, ''), nowMs);
  if (step !== undefined) return takeTotpStep(pool, personId, step);
  const recoveryCode = readRecoveryCode(typed);
  return recoveryCode !== undefined && takeRecoveryCode(pool, personId, recoveryCode);
}
