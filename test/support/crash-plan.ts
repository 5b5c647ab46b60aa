// A plan of crashes: at which checkpoint of its way each payment is cut. A service that follows the plan holds every
// payment at its checkpoint; when all are held, it is ended by SIGKILL, and so it has ended at all these checkpoints at
// once.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Checkpoint } from '../../src/ops/checkpoints.ts';
import { until } from './kassa.ts';

/** The checkpoint, and at which time of reaching it. */
export type CrashPoint = { readonly checkpoint: Checkpoint; readonly nth: number };

export class CrashPlan {
  /** What a service is started with to follow the plan. */
  readonly env: Readonly<Record<string, string>>;
  readonly flags = ['--import', new URL('hold-at.ts', import.meta.url).href];
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.env = { HOLD_PLAN: folder };
  }

  static async open(): Promise<CrashPlan> {
    return new CrashPlan(await mkdtemp(join(tmpdir(), 'kassa-crash-')));
  }

  cutAt(paymentId: string, { checkpoint, nth }: CrashPoint): Promise<void> {
    return writeFile(join(this.#folder, paymentId), JSON.stringify({ checkpoint, nth }));
  }

  /** Resolves when each of the payments is held at its checkpoint. */
  async held(paymentIds: readonly string[]): Promise<void> {
    let left = paymentIds;
    await until('every payment to be at its checkpoint', () => {
      left = left.filter((paymentId) => existsSync(join(this.#folder, paymentId)));
      return left.length === 0;
    });
  }

  close(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }
}
