// The routes of the merchant's API, for whoever lets people choose among them.
import { OPERATIONS } from '../operations.ts';

export const API_ROUTES: readonly string[] = OPERATIONS.map(({ route }) => route);
