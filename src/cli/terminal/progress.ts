// Shows the progress, speed and remaining time of a long task: on a terminal in one line that is updated in place,
// elsewhere as an occasional line.
export type Progress = {
  /** `total` is undefined when unknown. `isLast` is always shown. */
  show(done: number, total: number | undefined, isLast?: boolean): void;
  /** All items are done, and the task goes on with something else. */
  goOn(done: number, what: string): void;
  /** The task has reached a step that cannot be counted. */
  step(what: string): void;
  /** Clears the line on a terminal. */
  end(): void;
};

const CLEAR = '\r\u001B[K';

/** `step` is a prefix, for one of several steps. `begun` items were done before this run. */
export function openProgress({
  noun,
  showEveryMs,
  step,
  begun = 0,
}: {
  readonly noun: string;
  readonly showEveryMs: number;
  readonly step?: string;
  readonly begun?: number;
}): Progress {
  const { isTTY } = process.stderr;
  const beganAt = performance.now();
  let shownAt = beganAt;
  const named = step === undefined ? '' : `${step}: `;
  const isSoon = (now: number): boolean => !isTTY && now - shownAt < showEveryMs;
  const write = (text: string, now: number): void => {
    shownAt = now;
    process.stderr.write(isTTY ? CLEAR + text : `${text}\n`);
  };
  return {
    show: (done, total, isLast = false) => {
      const now = performance.now();
      if (isSoon(now) && !isLast) return;
      const rate = Math.round((done - begun) / ((now - beganAt) / 1_000));
      const speed = `${done} ${noun}, ${rate}/s`;
      const left = total === undefined ? 0 : Math.max(0, total - done);
      const share = total ? Math.floor((100 * Math.min(done, total)) / total) : 0;
      const rest = rate > 0 ? `, ${Math.ceil(left / rate)} s left` : '';
      write(isTTY && isLast ? '' : `${named}${total ? `${share} %, ${speed}${rest}` : speed}`, now);
    },
    goOn: (done, what) => {
      const now = performance.now();
      if (!isSoon(now)) write(`${done} ${noun} done; now ${what}`, now);
    },
    step: (what) => write(what, performance.now()),
    end: () => void (isTTY && process.stderr.write(CLEAR)),
  };
}
