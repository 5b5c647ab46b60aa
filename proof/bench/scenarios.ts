// The scenarios by name, in the order in which they run.
export const SCENARIO_NAMES = [
  'create',
  'read',
  'scattered',
  'charge',
  'refund',
  'cancel',
  'life',
  'bank',
  'hang',
  'processes',
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

/** One merchant beside a hostile one: it has a service and a table of its own, and runs only when it is named. */
export const FAIR = 'fair';
/** One merchant beside ten thousand charges of another; likewise. */
export const BULK = 'bulk';
/** Requests by a schedule, whether or not those before are answered; likewise. */
export const RATES = 'rates';

/** Charges at an acquirer on another machine, held against charges that differ from them in one thing. */
export type RemoteName = 'bank' | 'hang';

/** Reads, which are held against the bare route. */
export type ReadName = 'read' | 'scattered';

export const isRead = (name: ScenarioName): name is ReadName => name === 'read' || name === 'scattered';

/** Held against another Kassa rather than a floor. */
export type PairedName = RemoteName | 'processes';

export const isRemote = (name: ScenarioName): name is RemoteName => name === 'bank' || name === 'hang';
