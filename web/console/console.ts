// The script of every page of the console.
import { startAct } from './act-form.ts';
import { startFrame } from './frame.ts';
import { startPalette } from './palette.ts';
import { preparePasskeys } from './passkeys.ts';
import { startPayment } from './payment.ts';

startFrame();
startPalette();
preparePasskeys();
startPayment();
startAct();

/** A link signs in by itself; without a script its button does. */
const signIn = document.body.dataset['page'] === 'link' ? document.querySelector('form') : null;
signIn?.requestSubmit();

const zone = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
for (const time of document.querySelectorAll('time')) time.textContent = zone.format(new Date(time.dateTime));
