// What can be asked of the scenario `rates`: which rates, of which requests.

export const RATES_OPERATIONS = ['create', 'read', 'charge'] as const;
export type RatesOperation = (typeof RATES_OPERATIONS)[number];

/** Requests a second, or a share of what the service bears. */
export type Rate = { readonly value: number; readonly isShare: boolean };

export type RatesOptions = {
  readonly rates: readonly Rate[];
  readonly of: readonly RatesOperation[];
  readonly seconds: number;
  readonly connections: number;
  /** The file that gets a picture of it. */
  readonly svg: string | undefined;
};

export const STANDARD_RATES = '0.1x,0.25x,0.5x,0.6x,0.7x,0.8x,0.9x,1x,1.25x,1.5x,2x';
// More than may wait in the service, so that it is the one to refuse.
export const STANDARD_CONNECTIONS = '2000';

const MOST_RATE = 100_000;

/** Undefined where one is none. */
export function readRates(text: string): Rate[] | undefined {
  const rates = text.split(',').map((rate) => {
    const isShare = rate.endsWith('x');
    return { value: Number(isShare ? rate.slice(0, -1) : rate), isShare };
  });
  return rates.every(({ value }) => value > 0 && value <= MOST_RATE) ? rates : undefined;
}
