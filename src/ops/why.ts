// The reason of an error in one line, for logs where a stack trace would not help.

/** The message of an error, or its code. */
const wordsOf = (error: Error): string =>
  error.message || (error as NodeJS.ErrnoException).code || error.name || 'no reason given';

// Far more than any error has causes.
const MOST_CAUSES = 8;

/** The error's message with those of its causes. */
export function whyOf(error: Error): string {
  const words = [wordsOf(error)];
  for (let { cause } = error; cause instanceof Error && words.length < MOST_CAUSES; { cause } = cause)
    words.push(wordsOf(cause));
  return words.join(': ');
}
