// Why something is not to be had, in one line, for a log that would otherwise repeat where in the program that was noticed.

/** The error's message with that of its cause. */
export const whyOf = ({ message, cause }: Error): string =>
  cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
