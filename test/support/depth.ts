// How much of a breadth a run walks through: the daily run takes a few of the languages, sizes or cards that behave alike,
// and the run before a release, which sets TEST_DEPTH, takes all of them in every file that imports this one.

export const isRelease = process.env['TEST_DEPTH'] === 'release';

/** What this run goes through; `daily` holds whatever is most likely to break. */
export const depth = <T>({ daily, release }: { readonly daily: T; readonly release: T }): T =>
  isRelease ? release : daily;
