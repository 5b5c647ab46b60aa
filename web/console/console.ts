// The script of every page of the console.
import { startAct } from './act-form.ts';
import { startColours } from './colours.ts';
import { startFrame } from './frame.ts';
import { startReload } from './reload.ts';
import { startPalette } from './palette.ts';
import { preparePasskeys } from './passkeys.ts';
import { startList } from './list.ts';
import { startPayment } from './payment.ts';
import { showTimes } from './times.ts';
import { startZones } from './zone.ts';

startFrame();
startReload();
startPalette();
preparePasskeys();
startPayment();
startAct();
startList();
startZones();
startColours();

/** A link signs in by itself; without a script its button does. */
const signIn = document.body.dataset['page'] === 'link' ? document.querySelector('form') : null;
signIn?.requestSubmit();

showTimes(document);
