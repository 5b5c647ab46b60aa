// The worker thread that generates the site and exits, so that the main thread can go on serving requests.
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../ops/low-priority.ts';
import { makeSite } from './make-site.ts';
import type { SiteOf } from './make-site.ts';

const { of, isAwaited } = workerData as { of: SiteOf; isAwaited: boolean };
if (!isAwaited) lowerPriority('ahead');
parentPort?.postMessage(await makeSite(of), []);
