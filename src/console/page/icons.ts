// The few drawings of the console, inside the page itself, in the colour of the text. All are beside words that say the
// same, so that screen readers skip them.
import type { Html } from '../../pages/html.ts';

const draw = (paths: string, size = 18): Html => ({
  html:
    `<svg class="icon" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" ` +
    `stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
});

export const MENU_ICON = draw('<path d="M4 7h16M4 12h16M4 17h16"/>', 22);
export const CHOICE_ICON = draw('<path d="m8 10 4-4 4 4M8 14l4 4 4-4"/>', 16);
export const SEARCH_ICON = draw('<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>');
export const FILTER_ICON = draw('<path d="M4 6h16M7 12h10M10 18h4"/>', 16);
export const EXPORT_ICON = draw('<path d="M12 4v11m-4.5-4L12 15.5 16.5 11M5 19.5h14"/>', 16);
export const CLOSE_ICON = draw('<path d="m7 7 10 10m0-10L7 17"/>', 14);

/** Of the pages in the navigation, by their names. */
const PAGE_ICONS: Readonly<Record<string, Html>> = {
  overview: draw('<path d="M4 20V11m5.3 9V4m5.4 16v-7M20 20V8"/>'),
  payments: draw('<rect x="3" y="5.5" width="18" height="13" rx="2.5"/><path d="M3 10h18M7 14.5h3"/>'),
  subscriptions: draw('<path d="M4 12a8 8 0 0 1 13.7-5.6L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5V20"/>'),
  webhooks: draw('<path d="M13 3 5 14h6l-1 7 9-12h-6.5z"/>'),
  events: draw('<path d="M3 12h4l3-8 4 16 3-8h4"/>'),
  keys: draw('<circle cx="8" cy="15.5" r="4"/><path d="m11 12.5 8.5-8.5M16 7.5l3 3"/>'),
  requests: draw('<path d="M4 6h16M4 12h10M4 18h13"/>'),
  developers: draw('<path d="m8 7-5 5 5 5M16 7l5 5-5 5"/>'),
  team: draw(
    '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.800a3.5 3.5 0 0 1 0 6.400M18 14.5c2 .8 3.2 2.6 3.5 5.5"/>',
  ),
  audit: draw('<path d="M12 3 5 6v5c0 5 3 8.5 7 10 4-1.5 7-5 7-10V6zM9 12l2.2 2.200L15.5 10"/>'),
  settings: draw(
    '<circle cx="12" cy="12" r="3"/><path d="M12 3v3m0 12v3M3 12h3m12 0h3M5.6 5.600l2.2 2.200m8.4 8.4 2.2 2.200m0-12.8-2.2 2.200m-8.4 8.4-2.2 2.2"/>',
  ),
  sandbox: draw('<path d="M9 3h6M10 3v6l-5.5 9.5A1.7 1.7 0 0 0 6 21h12a1.7 1.7 0 0 0 1.5-2.5L14 9V3M7.5 14h9"/>'),
  account: draw('<circle cx="12" cy="8.5" r="4"/><path d="M4 20.5c1-4 4-6 8-6s7 2 8 6"/>'),
};
const PLAIN_ICON = draw('<circle cx="12" cy="12" r="3"/>');

export const iconOf = (page: string): Html => PAGE_ICONS[page] ?? PLAIN_ICON;
