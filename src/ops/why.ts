// Why something is not to be had, in one line, for a log that would otherwise repeat where in the program that was noticed.

/** What an error says; where it says nothing, its code. */
const wordsOf = (error: Error): string =>
  error.message || (error as NodeJS.ErrnoException).code || error.name || 'no reason given';

// Far more than any error has.
const MOST_CAUSES = 8;

/** The error's words with those of its causes. */
export function whyOf(error: Error): string {
  const words = [wordsOf(error)];
  for (let { cause } = error; cause instanceof Error && words.length < MOST_CAUSES; { cause } = cause)
    words.push(wordsOf(cause));
  return words.join(': ');
}
