// A wake signal: whoever waits goes on when it is given, or after a while. One that nobody waits for is kept for the
// next who does.

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
