// What is told to somebody who was not let in, in one place: it never says more than that it did not work.

type Problem =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'busy' };

const SECONDS_OF_MINUTE = 60;

const inMinutes = (seconds: number): string => {
  const minutes = Math.ceil(seconds / SECONDS_OF_MINUTE);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
};

export function problemOf(problem: Problem): string {
  switch (problem.kind) {
    case 'wrong':
      return 'That did not match. Each code works once: wait for the next one.';
    case 'wait':
      return `Too many tries. Come back in ${inMinutes(problem.seconds)}, or use a passkey or a link.`;
    case 'busy':
      return 'Many people are signing in. Try again in a moment.';
  }
}
