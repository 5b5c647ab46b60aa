// The checkpoint file from which an interrupted `kassa verify` resumes. It is replaced atomically, and removed at the end
// of the run. A checkpoint that does not match is ignored, and everything is checked.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { Checkpoint } from '../../store/books/verify.ts';
import type { Identity } from '../../store/books/verify/identity.ts';
import { UserError } from '../../ops/user-error.ts';

type Content = {
  readonly kassa: 'verify';
  /** The database, and the version of Kassa. */
  readonly of: Identity;
  /** The options of the run. */
  readonly asked: string;
  readonly writtenAt: string;
  readonly checkpoint: Checkpoint;
};

export type CheckpointFile = {
  /** The checkpoint to resume from, or why there is none. */
  readonly found: Checkpoint | string | undefined;
  write(checkpoint: Checkpoint): void;
  remove(): void;
};

// A resumed run also checks what happened since, but not manual changes to what it had checked: hence the limit.
const OLDEST_MS = 86_400_000;

/** An unknown database: it never matches. */
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
  throw new UserError(`--checkpoint ${path} is not a checkpoint file: choose another one, or delete it.`);
}

/** `of` is undefined if the database cannot be identified. */
export function openCheckpoint(path: string, of: Identity | undefined, asked: string): CheckpointFile {
  const content = read(path);
  const judge = (): CheckpointFile['found'] => {
    if (content === undefined) return undefined;
    if (of === undefined || content.of.name !== of.name || content.of.written > of.written)
      return 'it is from another database, from before a restore, or from another version of Kassa';
    if (content.asked !== asked)
      return `it is from a run ${content.asked ? `with ${content.asked}` : 'without --since'}`;
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
