// The routes of the merchant's API, for menus that list them.
import { OPERATIONS } from '../operations.ts';

export const API_ROUTES: readonly string[] = OPERATIONS.map(({ route }) => route);
