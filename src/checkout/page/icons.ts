// The few drawings of the checkout, inside the page itself: nothing to fetch, and their colour is that of the text.
// All are beside words that say the same, so that screen readers skip them.
import type { Html } from '../../pages/html.ts';

const draw = (paths: string, size = 24): Html => ({
  html:
    `<svg class="icon" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" ` +
    `stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
});

export const INVOICE_ICON = draw('<path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12h5"/>');
export const APP_ICON = draw('<rect x="7" y="3" width="10" height="18" rx="2"/><path d="M11 17.5h2"/>');
export const LOCK_ICON = draw(
  '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  18,
);
export const GLOBE_ICON = draw(
  '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18-5-5-5-13 0-18"/>',
  18,
);
export const BASKET_ICON = draw('<path d="M5 8h14l-1 12H6zM9 8a3 3 0 0 1 6 0"/>', 20);
export const CHEVRON_ICON = draw('<path d="m6 9 6 6 6-6"/>', 18);

export const DONE_ICON = draw('<path d="m6.5 12.5 3.7 3.7 7.3-8"/>', 32);
export const WAIT_ICON = draw('<path d="M12 6.5V12l3.5 2.5"/><circle cx="12" cy="12" r="8.5"/>', 32);
export const RETURN_ICON = draw('<path d="M9 7.5 4.5 12 9 16.5M5 12h9.5a5 5 0 0 1 0 10"/>', 32);
export const WARNING_ICON = draw('<path d="M12 6.5v7M12 17.2v.1"/>', 32);
export const CLOSED_ICON = draw('<path d="m7.5 7.5 9 9m0-9-9 9"/>', 32);
export const BANK_ICON = draw('<path d="M4 9.5 12 4l8 5.5zM6 10v7m4-7v7m4-7v7m4-7v7M4 20h16"/>');
