// The not-found page for signed-in people, within the frame.
import { html } from '../../pages/html.ts';
import { consoleTexts } from '../texts.ts';
import { homeOf, renderFrame } from './frame.ts';
import type { Place } from './frame.ts';

export function renderNotHere(place: Place): string {
  const texts = consoleTexts(place.member.language).frame;
  const main = html`<h1>${texts.notHere}</h1>
    <p>${texts.notHereText}</p>
    <p><a href="${homeOf(place)}">${texts.toConsole}</a></p>`;
  return renderFrame(place, { title: texts.notHere, name: 'not-here', main });
}
