// The error message of a failed command: one sentence if the user can fix it, otherwise the stack of a defect.
import { BadConfig } from '../config/bad-config.ts';
import { FolderRefused } from '../folders/own-file.ts';
import { UserError } from '../ops/user-error.ts';
import { DatabaseMisfit } from '../store/schema/database-misfit.ts';

const FIXABLE = [UserError, BadConfig, FolderRefused, DatabaseMisfit];

export function describeFailure(error: unknown): string {
  const isFixable = FIXABLE.some((kind) => error instanceof kind);
  return `kassa: ${isFixable ? (error as Error).message : String((error as Error).stack ?? error)}\n`;
}
