// The thread that makes the site, and ends: meanwhile the thread that answers requests answers them.
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../ops/low-priority.ts';
import { makeSite } from './make-site.ts';
import type { SiteOf } from './make-site.ts';

const { of, isAwaited } = workerData as { of: SiteOf; isAwaited: boolean };
if (!isAwaited) lowerPriority('ahead');
parentPort?.postMessage(await makeSite(of), []);
