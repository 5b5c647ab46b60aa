// Groups the operations of one turn of the event loop into one commit, since syncing to disk takes as long for one as for a
// hundred. Each is answered after that commit.
import type { Book, Handled } from './book.ts';
import type { Operation } from './operation.ts';

type Waiting = {
  readonly operation: Operation;
  readonly resolve: (handled: Handled) => void;
  readonly reject: (error: unknown) => void;
};

export function groupOperations(book: Book, now: () => number): (operation: Operation) => Promise<Handled> {
  let waiting: Waiting[] = [];

  function commit(): void {
    const group = waiting;
    waiting = [];
    try {
      const handled = book.act(
        group.map(({ operation }) => operation),
        now(),
      );
      for (const [index, { resolve }] of group.entries()) resolve(handled[index] as Handled);
    } catch (error) {
      // Nothing of it was done.
      for (const { reject } of group) reject(error);
    }
  }

  return (operation) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({ operation, resolve, reject });
    });
}
