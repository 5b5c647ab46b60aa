// The time of a merchant's payments: the real time, except for a test merchant whose clock was moved. Every decision,
// date and id of a payment uses it, and no other clock.
import type { Merchant } from '../domain/merchant.ts';
import type { Store } from '../store/store.ts';

export const nowOf = ({ clockAheadMs = 0 }: Pick<Merchant, 'clockAheadMs'>): number => Date.now() + clockAheadMs;

/** For callers that only have the merchant's number. */
export const nowOfMerchant = async ({ merchants }: Pick<Store, 'merchants'>, id: number): Promise<number> =>
  nowOf((await merchants.findById(id)) ?? {});
