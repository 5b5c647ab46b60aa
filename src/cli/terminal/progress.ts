// How far a long work is, how fast, and what is left: on a terminal in one line that is written over, elsewhere now and
// then in a line of its own.
export type Progress = {
  /** `total` undefined: not known. The last is always told, where the work says which it is. */
  show(done: number, total: number | undefined, isLast?: boolean): void;
  /** All of them are done, and the work goes on with something else. */
  goOn(done: number, what: string): void;
  /** The work has come to a step that nobody can count. */
  step(what: string): void;
  /** Leaves nothing of itself on a terminal. */
  end(): void;
};

const CLEAR = '\r\u001B[K';

/** `step`: what this is one part of several of. `begun`: so many were done before this began. */
export function openProgress({
  noun,
  tellEveryMs,
  step,
  begun = 0,
}: {
  readonly noun: string;
  readonly tellEveryMs: number;
  readonly step?: string;
  readonly begun?: number;
}): Progress {
  const { isTTY } = process.stderr;
  const beganAt = performance.now();
  let toldAt = beganAt;
  const named = step === undefined ? '' : `${step}: `;
  const isSoon = (now: number): boolean => !isTTY && now - toldAt < tellEveryMs;
  const tell = (text: string, now: number): void => {
    toldAt = now;
    process.stderr.write(isTTY ? CLEAR + text : `${text}\n`);
  };
  return {
    show: (done, total, isLast = false) => {
      const now = performance.now();
      if (isSoon(now) && !isLast) return;
      const rate = Math.round((done - begun) / ((now - beganAt) / 1_000));
      const speed = `${done} ${noun}, ${rate} a second`;
      const left = total === undefined ? 0 : Math.max(0, total - done);
      const share = total ? Math.floor((100 * Math.min(done, total)) / total) : 0;
      const rest = rate > 0 ? `, ${Math.ceil(left / rate)} s left` : '';
      tell(isTTY && isLast ? '' : `${named}${total ? `${share} %, ${speed}${rest}` : speed}`, now);
    },
    goOn: (done, what) => {
      const now = performance.now();
      if (!isSoon(now)) tell(`${done} ${noun}, and then ${what}`, now);
    },
    step: (what) => tell(what, performance.now()),
    end: () => void (isTTY && process.stderr.write(CLEAR)),
  };
}
