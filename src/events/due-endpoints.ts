// The endpoints that may have something to do. Of one merchant only so many are kept: the others are found again, and
// must not make anybody's turn longer meanwhile.
import { endpointKey } from '../store/events/lanes.ts';
import type { Endpoint } from '../store/events/lanes.ts';

const MOST_OF_ONE = 1_000;

export class DueEndpoints {
  readonly #byMerchant = new Map<number, Map<string, Endpoint>>();

  add(endpoint: Endpoint): void {
    const { merchantId } = endpoint;
    const own = this.#byMerchant.get(merchantId) ?? new Map<string, Endpoint>();
    this.#byMerchant.set(merchantId, own);
    if (own.size < MOST_OF_ONE) own.set(endpointKey(endpoint), endpoint);
  }

  delete(endpoint: Endpoint): void {
    const own = this.#byMerchant.get(endpoint.merchantId);
    own?.delete(endpointKey(endpoint));
    if (own?.size === 0) this.#byMerchant.delete(endpoint.merchantId);
  }

  has(endpoint: Endpoint): boolean {
    return this.#byMerchant.get(endpoint.merchantId)?.has(endpointKey(endpoint)) ?? false;
  }

  all(): Endpoint[] {
    return [...this.#byMerchant.values()].flatMap((own) => [...own.values()]);
  }

  clear(): void {
    this.#byMerchant.clear();
  }
}
