// What is told to somebody who was not let in, in one place: it never says more than that it did not work.
import type { Language } from '../../pages/language.ts';
import { signInTexts } from '../languages/sign-in.ts';
import { sayCount } from '../languages/texts.ts';

type Problem =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'busy' };

const SECONDS_OF_MINUTE = 60;

export function problemOf(problem: Problem, language: Language): string {
  const { problems } = signInTexts(language);
  if (problem.kind !== 'wait') return problems[problem.kind];
  return sayCount(problems.wait, Math.ceil(problem.seconds / SECONDS_OF_MINUTE), language);
}
