// A bell: who waits goes on when it rings, or after a while. A ring that nobody waits for is heard by the next.

export class Bell {
  #isRung = false;
  #hear: (() => void) | undefined;

  ring(): void {
    if (this.#hear) this.#hear();
    else this.#isRung = true;
  }

  wait(ms: number): Promise<void> {
    if (this.#isRung) {
      this.#isRung = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const heard = (): void => {
        clearTimeout(timer);
        this.#hear = undefined;
        resolve();
      };
      const timer = setTimeout(heard, ms);
      this.#hear = heard;
    });
  }
}
