// The script of every page of the console.
import { startAct } from './act-form.ts';
import { endBackground } from './background.ts';
import { startColours } from './colours.ts';
import { startFrame } from './frame.ts';
import { startReload } from './reload.ts';
import { startPalette } from './palette.ts';
import { preparePasskeys } from './passkeys.ts';
import { startList } from './list.ts';
import { startPayment } from './payment.ts';
import { showTimes } from './times.ts';
import { startZones } from './zone.ts';

endBackground();
startFrame();
startReload();
startPalette();
preparePasskeys();
startPayment();
startAct();
startList();
startZones();
startColours();

/** A link signs in by itself, and a form that was kept goes on; without a script a button does. */
const goesOn = ['link', 'kept-form'].includes(document.body.dataset['page'] ?? '')
  ? document.querySelector('form')
  : null;
goesOn?.requestSubmit();

showTimes(document);
