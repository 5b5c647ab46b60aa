// Loaded first into the Node that bin/kassa.js starts in its own place. The two end together: a wrapper that was killed
// can pass on nothing any more, but the kernel closes its end of the channel, and that counts as a SIGTERM here.
import cluster from 'node:cluster';
import { keepCompiled } from './compile-cache.js';

keepCompiled();
// One of several serving processes loads this as well, and its channel leads to the one that supervises them.
if (!cluster.isWorker) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // A thread of the program has no channel; and what has nothing else to do need not stay for it.
  process.channel?.unref();
}
