// A wake signal: a waiter continues when it is given, or after a timeout. A signal without a waiter is kept for the next
// one.

export class WakeSignal {
  #isGiven = false;
  #wake: (() => void) | undefined;

  give(): void {
    if (this.#wake) this.#wake();
    else this.#isGiven = true;
  }

  wait(ms: number): Promise<void> {
    if (this.#isGiven) {
      this.#isGiven = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wake = wake;
    });
  }
}
