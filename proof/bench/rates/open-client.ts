// The open-loop client: a process of its own that sends requests by a schedule, whether or not those before them are
// answered, as a crowd of strangers does. A request's time begins when it was due, so that a service that stalls is not
// spared the requests that would have come meanwhile (coordinated omission). It ends with the bench.
import { Histogram } from '../histogram.ts';
import type { OpenDone, OpenFailed, OpenPlan } from './open-plan.ts';
import { Senders } from './senders.ts';
import type { Request } from './senders.ts';

const TICK_MS = 1;
// What was due in the end is waited for, for this long.
const PATIENCE_MS = 15_000;
const OVERLOADED = 503;

async function drive(plan: OpenPlan): Promise<OpenDone> {
  const [done, refused] = [new Histogram(), new Histogram()];
  const counts = { done: 0, doneInTime: 0, refused: 0, withoutRetryAfter: 0, failed: 0 };
  let [failure, answered]: [string | undefined, number] = [undefined, 0];
  const isCounted = ({ dueAt }: Request): boolean => dueAt >= measureFrom;
  const fail = (request: Request, why: string): void => {
    answered += 1;
    if (!isCounted(request)) return;
    counts.failed += 1;
    failure ??= why;
  };
  const take = (request: Request, status: number, bytes: Buffer, bodyStart: number): void => {
    const now = performance.now();
    if (status !== plan.status && status !== OVERLOADED) return fail(request, bytes.toString('latin1').slice(0, 500));
    answered += 1;
    if (status === plan.status && now >= measureFrom && now < measureFrom + plan.measureMs) counts.doneInTime += 1;
    if (!isCounted(request)) return;
    if (status === plan.status) {
      counts.done += 1;
      done.record((now - request.dueAt) * 1_000);
      return;
    }
    counts.refused += 1;
    refused.record((now - request.sentAt) * 1_000);
    const at = bytes.indexOf('\r\nretry-after: ', 0, 'latin1');
    if (at === -1 || at > bodyStart) counts.withoutRetryAfter += 1;
  };
  const senders = new Senders(plan, take, fail);
  await senders.begin();
  const everyMs = 1_000 / plan.rate;
  const total = Math.floor((plan.rate * (plan.warmUpMs + plan.measureMs)) / 1_000);
  const startAt = performance.now();
  const measureFrom = startAt + plan.warmUpMs;
  await new Promise<void>((resolve) => {
    let n = 0;
    const giveUpAt = startAt + plan.warmUpMs + plan.measureMs + PATIENCE_MS;
    const tick = (): void => {
      const now = performance.now();
      for (; n < total && startAt + n * everyMs <= now; n += 1)
        senders.send({ n, dueAt: startAt + n * everyMs, sentAt: 0 });
      if ((n === total && answered === total) || now > giveUpAt) return resolve();
      setTimeout(tick, TICK_MS);
    };
    tick();
  });
  senders.close();
  const due = total - Math.ceil((plan.warmUpMs * plan.rate) / 1_000);
  const missing = due - counts.done - counts.refused - counts.failed;
  return {
    kind: 'done',
    due,
    seconds: plan.measureMs / 1_000,
    ...counts,
    failed: counts.failed + missing,
    failure: failure ?? (missing > 0 ? `${missing} were not answered in time` : undefined),
    doneCounts: done.counts,
    refusedCounts: refused.counts,
    underWay: senders.mostBusy,
  };
}

process.on('message', (plan: OpenPlan) => {
  drive(plan)
    .catch((error: Error): OpenFailed => ({ kind: 'failed', message: error.message }))
    .then((told) => process.send?.(told))
    .catch(() => process.exit(1));
});
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
