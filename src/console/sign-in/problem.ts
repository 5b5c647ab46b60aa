// The error messages of sign-in, which never reveal the reason.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { renderTime } from '../page/time.ts';
import { consoleTexts, fillHtml, sayCount } from '../texts.ts';
import type { Wait } from './tries.ts';

type Problem = { readonly kind: 'wrong' } | Wait | { readonly kind: 'busy' };

const SECONDS_OF_MINUTE = 60;

export function problemOf(problem: Problem, language: Language): Html {
  const { problems } = consoleTexts(language).signIn;
  if (problem.kind !== 'wait') return html`${problems[problem.kind]}`;
  if (problem.lockedUntilMs !== undefined)
    return fillHtml(problems.locked, { time: renderTime(problem.lockedUntilMs, language) });
  return html`${sayCount(problems.wait, Math.ceil(problem.seconds / SECONDS_OF_MINUTE), language)}`;
}
