// The file from which an interrupted `kassa verify` goes on. It is replaced as a whole, so it is one that was written
// whole, and removed when the run is over. What does not fit is not used: then everything is looked at.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { Checkpoint } from '../../store/books/verify.ts';
import type { Identity } from '../../store/books/verify/identity.ts';
import { UserError } from '../../ops/user-error.ts';

type Content = {
  readonly kassa: 'verify';
  /** What was looked at, and by what. */
  readonly of: Identity;
  /** What was asked for. */
  readonly asked: string;
  readonly writtenAt: string;
  readonly checkpoint: Checkpoint;
};

export type CheckpointFile = {
  /** From which to go on, or why there is nothing to go on from. */
  readonly found: Checkpoint | string | undefined;
  write(checkpoint: Checkpoint): void;
  remove(): void;
};

// What has happened meanwhile is looked at, too; what was changed by hand meanwhile is not, so that is kept short.
const OLDEST_MS = 86_400_000;

/** Of which nothing is known: it is never gone on with. */
const NOBODY: Identity = { name: '', written: 0 };

const unusable = (path: string, error: unknown): UserError =>
  new UserError(`--checkpoint ${path} cannot be used: ${(error as Error).message}.`);

function read(path: string): Content | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
  try {
    const content = JSON.parse(text) as Content;
    if (content.kassa === 'verify' && content.of && content.checkpoint) return content;
  } catch {
    // As below.
  }
  throw new UserError(`--checkpoint ${path} is a file of something else: name another one, or delete it.`);
}

/** `of`: undefined where it is not known what would be gone on with. */
export function openCheckpoint(path: string, of: Identity | undefined, asked: string): CheckpointFile {
  const content = read(path);
  const judge = (): CheckpointFile['found'] => {
    if (content === undefined) return undefined;
    if (of === undefined || content.of.name !== of.name || content.of.written > of.written)
      return 'it is of another database, of one before a restore, or of another version of Kassa';
    if (content.asked !== asked) return `it is of a run ${content.asked ? `with ${content.asked}` : 'without --since'}`;
    const age = Date.now() - Date.parse(content.writtenAt);
    if (!(age >= 0 && age <= OLDEST_MS)) return 'it is older than a day';
    return content.checkpoint;
  };
  const beside = `${path}.new`;
  return {
    found: judge(),
    write: (checkpoint) => {
      const now: Content = {
        kassa: 'verify',
        of: of ?? NOBODY,
        asked,
        writtenAt: new Date().toISOString(),
        checkpoint,
      };
      try {
        const file = openSync(beside, 'w', 0o600);
        try {
          writeSync(file, JSON.stringify(now));
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        renameSync(beside, path);
      } catch (error) {
        throw unusable(path, error);
      }
    },
    remove: () => rmSync(path, { force: true }),
  };
}
