// How a person runs a command of Kassa on the same data from another shell, where the variables of this one are not set.
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { SETTINGS } from '../config/settings.ts';

const [USUAL_FOLDER] = SETTINGS.KASSA_DATA_DIR;

export const isUsualFolder = ({ dataDir }: Pick<Config, 'dataDir'>): boolean => dataDir === USUAL_FOLDER;

/** In single quotes, unless a shell takes it as it stands. */
export const quoteForShell = (text: string): string =>
  /^[\w./@%+:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** With the folder where that is not the usual one. A DATABASE_URL is a secret, and is not repeated. */
export function kassaCommand(config: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (config.databaseUrl !== undefined || isUsualFolder(config)) return 'npx kassa';
  return `KASSA_DATA_DIR=${quoteForShell(resolve(config.dataDir))} npx kassa`;
}
