// The load client: a process of its own that drives many connections by a plan and counts what comes back. The very
// same client drives Kassa and the bare route. It ends with the bench.
import { Histogram } from './histogram.ts';
import { HttpConnection } from './http-connection.ts';
import type { Done, Failed, Plan, Step, Work } from './plan.ts';

/** What one connection sends next; undefined when there is nothing left. */
type Worker = {
  next(): Buffer | string | undefined;
  expected(): number;
  take(bytes: Buffer, bodyStart: number): void;
};

const ID_LENGTH = 32;

/** The first id in an answer: {"paymentId":"…"}. */
function idIn(bytes: Buffer, bodyStart: number): string {
  const start = bytes.indexOf('Id":"', bodyStart, 'latin1') + 5;
  return bytes.toString('latin1', start, start + ID_LENGTH);
}

function workOnEach(work: Extract<Work, { kind: 'each' }>): () => Worker {
  const requests = work.ids.map((id) => Buffer.from(work.before + id + work.after, 'latin1'));
  let at = 0;
  const worker: Worker = {
    next: () => {
      if (at === requests.length && !work.once) at = 0;
      const request = requests[at];
      at += 1;
      return request;
    },
    expected: () => work.status,
    take: () => {},
  };
  return () => worker;
}

function workOnLives({ lives }: Extract<Work, { kind: 'lives' }>): () => Worker {
  let begun = 0;
  return () => {
    let steps: readonly Step[] = [];
    let at = -1;
    const ids = { nothing: '', payment: '', charge: '' };
    const step = (): Step => steps[at] as Step;
    return {
      next: () => {
        at += 1;
        if (at === steps.length) {
          steps = lives[begun % lives.length] as readonly Step[];
          begun += 1;
          at = 0;
        }
        const { before, after, names } = step();
        return before + ids[names] + after;
      },
      expected: () => step().status,
      take: (bytes, bodyStart) => {
        const { gives } = step();
        if (gives !== undefined) ids[gives] = idIn(bytes, bodyStart);
      },
    };
  };
}

async function drive(plan: Plan): Promise<Done> {
  const { port, connections, work } = plan;
  const newWorker = work.kind === 'each' ? workOnEach(work) : workOnLives(work);
  const opened = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(port)));
  try {
    return await run(plan, opened, newWorker);
  } finally {
    for (const connection of opened) connection.close();
  }
}

function run(plan: Plan, opened: readonly HttpConnection[], newWorker: () => Worker): Promise<Done> {
  const latencies = new Histogram();
  const start = performance.now();
  const measureFrom = start + plan.warmUpMs;
  // Until the time is over or, when that is earlier, until somebody finds nothing left to do.
  let measureUntil = measureFrom + plan.measureMs;
  let [requests, total, busy] = [0, 0, opened.length];

  return new Promise((resolve, reject) => {
    const finish = (): void => {
      const seconds = Math.max(0, measureUntil - measureFrom) / 1_000;
      resolve({ kind: 'done', requests, seconds, counts: latencies.counts, total });
    };
    const drain = (now: number): void => {
      measureUntil = Math.min(measureUntil, now);
      busy -= 1;
      if (busy === 0) finish();
    };
    for (const connection of opened) {
      const worker = newWorker();
      let sentAt = 0;
      const sendNext = (now: number): void => {
        const request = now < measureUntil ? worker.next() : undefined;
        if (request === undefined) return drain(now);
        sentAt = now;
        connection.send(request);
      };
      connection.listen((status, bytes, bodyStart) => {
        const now = performance.now();
        if (status !== worker.expected())
          return reject(new Error(`expected ${worker.expected()}, found: ${bytes.toString('latin1')}`));
        worker.take(bytes, bodyStart);
        total += 1;
        if (now >= measureFrom && now < measureUntil) {
          requests += 1;
          latencies.record((now - sentAt) * 1_000);
        }
        sendNext(now);
      }, reject);
      sendNext(performance.now());
    }
  });
}

process.on('message', (plan: Plan) => {
  drive(plan)
    .catch((error: Error): Failed => ({ kind: 'failed', message: error.message }))
    .then((told) => process.send?.(told))
    .catch(() => process.exit(1));
});
// A Ctrl-C of the terminal reaches this process too; the bench decides when it ends.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
