// What the page with the requests shows.
import type { SecretKey } from '../../store/merchants/keys.ts';
import type { RequestPage } from '../../store/request-log/read.ts';
import type { Address, Field } from './query.ts';

export type RequestsView = {
  readonly address: Address;
  readonly faults: readonly Field[];
  readonly page: RequestPage;
  /** How many of the time that the page shows were not kept. */
  readonly omitted: number;
  readonly keys: readonly SecretKey[];
  /** For how long they are kept; 0: they are not. */
  readonly days: number;
};
