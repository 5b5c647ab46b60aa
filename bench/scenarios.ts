// The scenarios by name, in the order in which they run.
export const SCENARIO_NAMES = ['create', 'read', 'charge', 'refund', 'cancel', 'life'] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];
