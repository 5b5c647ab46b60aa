// The command line to run Kassa on the same data from another shell, without the variables of this one.
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { SETTINGS } from '../config/settings.ts';

const [USUAL_FOLDER] = SETTINGS.KASSA_DATA_DIR;

export const isUsualFolder = ({ dataDir }: Pick<Config, 'dataDir'>): boolean => dataDir === USUAL_FOLDER;

/** In single quotes, unless the shell needs none. */
export const quoteForShell = (text: string): string =>
  /^[\w./@%+:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** With the data folder, if it is not the default. DATABASE_URL is secret and not shown. */
export function kassaCommand(config: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (config.databaseUrl !== undefined || isUsualFolder(config)) return 'npx kassa';
  return `KASSA_DATA_DIR=${quoteForShell(resolve(config.dataDir))} npx kassa`;
}
