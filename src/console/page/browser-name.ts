// What a person calls the browser that a session was begun with. Only a hint: a browser says of itself what it likes.
import type { Language } from '../../pages/language.ts';
import { consoleTexts, fill } from '../texts.ts';

/** The first that is found counts, since most name others as well. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstIn = (names: readonly (readonly [RegExp, string])[], agent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

export function browserName(agent: string, language: Language): string {
  const texts = consoleTexts(language).account;
  const [browser, system] = [firstIn(BROWSERS, agent), firstIn(SYSTEMS, agent)];
  if (browser === undefined) return system ?? texts.unknownBrowser;
  return system === undefined ? browser : fill(texts.browserOn, { browser, system });
}
