// Times as the viewer's clock shows them, in the language of the page; the exact one stays on hover.

/** As the server writes numbers and times: English is that of Britain. */
export const locale = document.documentElement.lang === 'en' ? 'en-GB' : document.documentElement.lang;

const zone = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

export function showTimes(within: ParentNode): void {
  for (const time of within.querySelectorAll('time')) time.textContent = zone.format(new Date(time.dateTime));
}
