// What keeps a release from being made: changes that are in no commit, and data of it that no later test could use.
import { NotReady } from './notes.ts';

export type Standing = {
  /** What git says has changed. */
  readonly changed: string;
  readonly version: string;
  readonly newestSchema: number;
  /** What was kept for the tests of later releases; undefined where nothing was. */
  readonly kept?: { readonly version: string; readonly schema: number };
};

export function refuseUnready({ changed, version, newestSchema, kept }: Standing): void {
  if (changed !== '') throw new NotReady(`There are changes that are in no commit:\n${changed}`);
  const remedy = 'run npm run release:keep, and commit what it wrote';
  if (kept === undefined)
    throw new NotReady(`test/fixtures/releases/${version} is missing, which tests of later releases need: ${remedy}.`);
  if (kept.version !== version || kept.schema !== newestSchema)
    throw new NotReady(
      `test/fixtures/releases/${version} is of version ${kept.version} with schema ${kept.schema}, and this is ${version} ` +
        `with schema ${newestSchema}: ${remedy}.`,
    );
}
