// Times as the viewer's clock shows them; the exact one stays on hover.

const zone = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export function showTimes(within: ParentNode): void {
  for (const time of within.querySelectorAll('time')) time.textContent = zone.format(new Date(time.dateTime));
}
