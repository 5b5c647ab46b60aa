// The processes that the bench starts besides the service: those that talk with it in messages and end with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Histogram } from './histogram.ts';
import type { Measure } from './measure.ts';
import type { Done, Failed, Plan } from './plan.ts';

export type Child = {
  /** Sends a message and waits for the answer. */
  ask<Answer>(message: unknown): Promise<Answer>;
  end(): void;
};

export function startChild(file: URL, signal: AbortSignal): Child {
  const child = spawn(process.execPath, [fileURLToPath(file)], {
    // Whatever a library of theirs says is no part of the report.
    stdio: ['ignore', 2, 2, 'ipc'],
    serialization: 'advanced',
  });
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`${file.pathname.split('/').at(-1)} ended with ${code}`);
  });
  ended.catch(() => {});
  return {
    ask: async <Answer>(message: unknown): Promise<Answer> => {
      const answered = once(child, 'message', { signal });
      child.send(message as object);
      const [answer] = await Promise.race([answered, ended]);
      return answer as Answer;
    },
    end: () => {
      if (child.connected) child.disconnect();
    },
  };
}

export type Driven = Measure & { readonly total: number };

/** Lets the load client carry out a plan; an answer with an unexpected status fails the whole bench. */
export async function drive(client: Child, plan: Plan): Promise<Driven> {
  const told = await client.ask<Done | Failed>(plan);
  if (told.kind === 'failed') throw new Error(`the load client stopped: ${told.message}`);
  const { requests, seconds, counts, total } = told;
  return { requests, seconds, total, latencies: new Histogram(counts) };
}
