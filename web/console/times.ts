// Times as the viewer's clock shows them, in the language of the page; the exact one stays on hover.

/** As the server writes numbers and times: English is that of Britain. */
export const locale = document.documentElement.lang === 'en' ? 'en-GB' : document.documentElement.lang;

const zone = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const toTheSecond = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

const { timeZone } = zone.resolvedOptions();

export function showTimes(within: ParentNode): void {
  for (const time of within.querySelectorAll('time')) {
    const format = time.hasAttribute('data-seconds') ? toTheSecond : zone;
    const [local, utc] = [format.format(new Date(time.dateTime)), time.textContent];
    // Where something depends on it, the zone is said, and the time as the server has it.
    const isExact = time.hasAttribute('data-exact');
    time.textContent = isExact && timeZone !== 'UTC' ? `${local} ${timeZone} (${utc})` : local;
  }
}
