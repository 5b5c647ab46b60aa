// What time it is for a merchant's payments. The real time, but for a test merchant whose clock was moved ahead: whatever
// is decided, dated or named for a payment asks here, and nothing else of it reads a clock.
import type { Merchant } from '../domain/merchant.ts';
import type { Store } from '../store/store.ts';

export const nowOf = ({ clockAheadMs = 0 }: Pick<Merchant, 'clockAheadMs'>): number => Date.now() + clockAheadMs;

/** Of a merchant of whom only the number is at hand. */
export const nowOfMerchant = async ({ merchants }: Pick<Store, 'merchants'>, id: number): Promise<number> =>
  nowOf((await merchants.findById(id)) ?? {});
